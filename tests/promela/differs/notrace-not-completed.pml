/* expect: holds
 * states: 2
 * spin: differs
 * what: Spin wants a notrace to be completed when the system stops, though it must not be
 */
mtype = { a, b };
chan q = [2] of { mtype };

active proctype P() {
	q!a;
end:	false
}

notrace {
	q!a; q!b
}
