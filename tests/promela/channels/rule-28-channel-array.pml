/* expect: holds
 * states: 18
 * what: an array of channels, indexed and passed
 */
chan q[3] = [1] of { byte };
byte log[3];

proctype W(byte id; chan inbox; chan outbox) {
	byte v;
	inbox?v;
	log[id] = v;
	outbox!v + 1
}

init {
	byte i;
	atomic {
		run W(0, q[0], q[1]);
		run W(1, q[1], q[2])
	};
	q[0]!7;
	q[2]?i;
	assert(i == 9 && log[0] == 7 && log[1] == 8)
}
