/* expect: holds
 * states: 4
 * what: a notrace that is never completed
 */
mtype = { a, b };
chan p = [2] of { mtype };

active proctype S() {
	p!a;
	p?_
}

notrace {
	p!a; p!b
}
