/* What compilers frown at. */
byte a, d, h[2];
short b;
int c;

active proctype P() {
	d = ~(c && b);
	a = (a < a);
	c = (-5 == (a && d));
	b = (65536 | (d >= 3)) != 0;
	a = d || ~a;
	h[a] = (c == c) + (b <= b);
	printf("%d %d %d %d %d %d\n", a, b, c, d, h[0], h[1])
}
