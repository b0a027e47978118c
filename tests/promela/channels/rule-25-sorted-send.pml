/* expect: holds
 * states: 11
 * what: !! inserts before the first greater message
 */
chan q = [5] of { byte };
byte a, b, c, d;

active proctype P() {
	q!!3;
	q!!1;
	q!!2;
	q!!1;
	q?a; q?b; q?c; q?d;
	assert(a == 1 && b == 1 && c == 2 && d == 3)
}
