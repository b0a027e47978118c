/* expect: holds
 * states: 4
 * spin: differs
 * what: Spin compares with the last message of the channel, not with the one that is sent
 */
mtype = { a, b };
chan q = [2] of { mtype };

active proctype P() {
	q!a;
	q!!b
}

trace {
	q!a; q!b
}
