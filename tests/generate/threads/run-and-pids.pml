byte alive;

proctype child(byte n; bool b) {
	byte copy = n + 1;
	alive++;
	printf("child %d %d %d as %d of %d\n", n, copy, b, _pid, _nr_pr);
	alive--
}

init {
	pid p;
	p = run child(1, true);
	printf("started %d\n", p);
	run child(255, 4);
	(_nr_pr == 1);
	p = run child(7, false);
	printf("again %d\n", p)
}
