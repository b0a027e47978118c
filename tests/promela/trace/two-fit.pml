/* expect: violated
 * fault: trace 10
 * what: an assertion must be deterministic when it comes to it
 */
mtype = { a, b };
chan q = [2] of { mtype };

active proctype P() {
	q!b;
	q!a
}

trace {
	do
	:: q!a
	:: q!_
	od
}
