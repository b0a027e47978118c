bit b; bool t; byte y; short s; int i; unsigned u : 3; bit bits[2];
chan q = [1] of { bit, byte, short, int };
chan lone = [1] of { bit };

active proctype p() {
	b = 2; t = 3; y = 257; s = 32768; i = 2147483647; u = 9; bits[0] = 2;
	printf("%d %d %d %d %d %d %d\n", b, t, y, s, i, u, bits[0]);
	b--; y = y - 2; s--; i++; u = u - 2; t++;
	printf("%d %d %d %d %d %d\n", b, t, y, s, i, u);
	q!7,-1,65535,-2147483647 - 1;
	q?b,y,s,i;
	printf("%d %d %d %d\n", b, y, s, i);
	lone!6; lone?y;
	printf("%d\n", y);
	i = -7;
	printf("%d %d %d %d\n", i / 2, i % 3, -i / -2, i >> 1);
	printf("%d %d %d\n", i & 3, i ^ 1, (i < 0 -> 4 : 5));
	printf("%d %d\n", 7 << 33, ~i)
}
