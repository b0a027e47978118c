/* expect: violated
 * fault: trace 9
 * what: a channel is watched under whatever name it is used
 */
mtype = { a, b };
chan q = [2] of { mtype };

proctype R(chan k) {
	k!b
}

active proctype P() {
	run R(q)
}

trace {
	q!a
}
