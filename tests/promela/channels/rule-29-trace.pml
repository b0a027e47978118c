/* expect: holds
 * states: 6
 * what: the events of a trace in the right order
 */
mtype = { a, b };
chan p = [1] of { mtype };
chan q = [1] of { mtype };

active proctype S() {
	p!a;
	q!b;
	p?_;
	p!b
}

trace {
	do
	:: p!a; p!b
	od
}
