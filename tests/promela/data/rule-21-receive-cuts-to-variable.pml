/* expect: holds
 * states: 6
 * what: a received value is cut to the variable
 */
chan q = [1] of { int };
bit b;
byte c;

active proctype P() {
	q!259;
	q?<c>;
	q?b;
	assert(c == 3 && b == 1)
}
