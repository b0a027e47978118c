/* expect: holds
 * states: 5
 * what: a message field is cut to its type when it is sent
 */
chan q = [1] of { byte, bit, short };

active proctype P() {
	int a, b, c;
	q!300,3,70000;
	q?a,b,c;
	assert(a == 44 && b == 1 && c == 4464)
}
