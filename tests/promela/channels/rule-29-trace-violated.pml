/* expect: holds
 * states: 4
 * spin: differs
 * what: a send that the trace does not allow: Spin says event_trace error, Auspex does not check traces yet
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
