/* `for` over the messages of a channel, in one step. */
typedef pair { byte a; short b };
chan q = [4] of { pair };
byte turn;

active proctype p() {
	pair m;
	short sum;
	m.a = 1; m.b = -1; q!m;
	m.a = 2; m.b = -2; q!m;
	m.a = 3; m.b = -3; q!m;
	d_step {
		for (m in q) { sum = sum + m.a * 10 + m.b; printf("%d %d\n", m.a, m.b) };
		printf("sum %d, %d messages\n", sum, len(q))
	};
	d_step {
		turn == 1 ->
		for (m in q) {
			if
			:: m.a == 2 -> break
			:: else -> printf("not %d\n", m.a)
			fi
		}
	};
	q?m;
	printf("first %d %d\n", m.a, m.b)
}

active proctype other() {
	turn = 1
}
