/* expect: violated
 * fault: trace 12
 * what: the steps of an atomic sequence and of a d_step are events
 */
mtype = { a, b };
chan q = [4] of { mtype };

active proctype P() {
	atomic { q!a; q!b };
	d_step {
		q!a;
		q!a
	}
}

trace {
	do
	:: q!a; q!b
	od
}
