/* expect: holds
 * states: 29
 * what: mtype in arrays, messages and parameters
 */
mtype = { req, ack, nak };
chan q = [2] of { mtype, byte };
mtype log[3];

proctype Server(mtype answer) {
	byte n;
	q?req(n);
	log[n] = answer;
	q!answer(n)
}

init {
	byte n;
	mtype what;
	if
	:: run Server(ack)
	:: run Server(nak)
	fi;
	q!req,2;
	log[2] != 0;
	q?what,n;
	assert(what == log[2] && n == 2 && what != req)
}
