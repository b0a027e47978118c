/* expect: holds
 * states: 2
 * what: the assertion may stop at an end label, too
 */
mtype = { a, b };
chan q = [2] of { mtype };

active proctype P() {
	q!a;
end:	false
}

trace {
	q!a;
end:	q!b
}
