/* expect: holds
 * states: 6
 * what: a copy and a poll are no events
 */
mtype = { a, b };
chan q = [1] of { mtype };

active proctype P() {
	mtype m;
	q!a;
	q?<m>;
	q?[a];
	q?m
}

trace {
	q?a
}
