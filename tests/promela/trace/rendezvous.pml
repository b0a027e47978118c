/* expect: holds
 * states: 5
 * what: a rendezvous is a send and then a receive
 */
mtype = { a, b };
chan z = [0] of { mtype };

active proctype S() {
	z!a; z!b
}

active proctype R() {
	z?a; z?b
}

trace {
	z!a; z?a; z!b; z?b
}
