/* expect: violated
 * fault: trace 14
 * what: a receive that comes too early
 */
mtype = { a, b };
chan q = [2] of { mtype };

active proctype S() {
	q!a; q!b
}

active proctype R() {
	mtype m;
	q?m;
	q?m
}

trace {
	q!a; q!b; q?a; q?b
}
