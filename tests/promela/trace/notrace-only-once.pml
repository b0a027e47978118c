/* expect: holds
 * states: 5
 * what: after an event that does not fit there is no second try
 */
mtype = { a, b };
chan q = [3] of { mtype };

active proctype P() {
	q!b; q!a; q!b
}

notrace {
	q!a; q!b
}
