/* expect: violated
 * fault: trace 13
 * what: the system stops at an end label, but the assertion does not
 */
mtype = { a, b };
chan q = [2] of { mtype };

active proctype P() {
	q!a;
end:	false
}

trace {
	q!a; q!b
}
