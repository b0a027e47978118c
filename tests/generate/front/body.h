	t.b = 1;
	promela_MS { t.a = t.b }
	total = t.a
