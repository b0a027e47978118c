/* expect: holds
 * states: 11
 * what: !! into a channel that was filled with !
 */
chan q = [5] of { byte };
byte a, b, c, d;

active proctype P() {
	q!5;
	q!2;
	q!9;
	q!!4;
	q?a; q?b; q?c; q?d;
	assert(a == 4 && b == 5 && c == 2 && d == 9)
}
