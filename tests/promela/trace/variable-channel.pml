/* expect: violated
 * fault: trace 13
 * what: which channel a variable holds counts when something is sent
 */
mtype = { a, b };
chan q = [3] of { mtype };
chan c;

active proctype P() {
	q!b;
	c = q;
	q!a;
	q!a
}

trace {
	c!a; c!b
}
