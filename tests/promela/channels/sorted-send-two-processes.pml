/* expect: holds
 * states: 16
 * what: sorted sends of two processes give one order
 */
chan q = [4] of { byte };

active [2] proctype P() {
	q!!(2 - _pid);
	q!!(5 - _pid)
}

active proctype R() {
	byte a, b;
	len(q) == 4;
	q?a;
	q?b;
	assert(a == 1 && b == 2)
}
