/* expect: violated
 * fault: trace 11
 * what: what must not happen does
 */
mtype = { a, b };
chan q = [2] of { mtype };

active proctype P() {
	if
	:: q!a;
		q!b
	:: q!b; q!a
	fi
}

notrace {
	q!a; q!b
}
