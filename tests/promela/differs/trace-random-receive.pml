/* expect: holds
 * states: 5
 * spin: differs
 * what: Spin compares with the first message of the channel, not with the one that is received
 */
mtype = { a, b };
chan q = [2] of { mtype };

active proctype P() {
	q!a;
	q!b;
	q??b
}

trace {
	q?b
}
