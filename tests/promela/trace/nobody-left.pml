/* expect: holds
 * states: 3
 * what: when no process is left, the assertion need not be complete
 */
mtype = { a, b };
chan q = [2] of { mtype };

active proctype P() {
	q!a
}

trace {
	q!a; q!b
}
