/* expect: violated
 * fault: trace 11
 * what: an event behind the end of the assertion
 */
mtype = { a, b };
chan q = [3] of { mtype };

active proctype P() {
	q!a;
	q!b;
	q!a
}

trace {
	q!a; q!b
}
