typedef inner { byte a[2]; bit flag };
typedef outer { short s = -3; inner in; byte end };
chan q = [2] of { outer };
outer one;

active proctype p() {
	outer two;
	one.s = -70000; one.in.a[1] = 300; one.in.flag = 3; one.end = 1;
	q!one;
	one.s = 4;
	q!one;
	q?two;
	printf("%d %d %d %d %d\n", two.s, two.in.a[0], two.in.a[1], two.in.flag, two.end);
	for (one in q) { printf("in the queue: %d\n", one.s) };
	printf("%d left\n", len(q))
}
