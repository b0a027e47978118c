/* expect: violated
 * fault: trace 14
 * what: a rendezvous that the assertion does not allow
 */
mtype = { a, b };
chan z = [0] of { mtype };

active proctype S() {
	z!a; z!a
}

active proctype R() {
	z?a;
	z?a
}

trace {
	z?a; z?b
}
