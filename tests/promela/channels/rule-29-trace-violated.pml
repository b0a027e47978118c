/* expect: violated
 * fault: trace 10
 * what: a send that the trace does not allow
 */
mtype = { a, b };
chan p = [2] of { mtype };

active proctype S() {
	p!a;
	p!a
}

trace {
	do
	:: p!a; p!b
	od
}
