/* expect: violated
 * fault: trace 14
 * what: one order of two processes is allowed, the other is not
 */
mtype = { a, b };
chan p = [1] of { mtype };
chan q = [1] of { mtype };

active proctype A() {
	p!a
}

active proctype B() {
	q!b
}

trace {
	p!a; q!b
}
