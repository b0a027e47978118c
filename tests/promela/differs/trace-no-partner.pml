/* expect: holds
 * states: 1
 * spin: differs
 * what: Spin reports the send of a rendezvous that never takes place
 */
mtype = { a, b };
chan z = [0] of { mtype };

active proctype P() {
end:	z!b
}

trace {
end:	do
	:: z!a
	od
}
