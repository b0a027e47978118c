/* expect: holds
 * states: 13
 * what: the parameters of an active proctype are 0
 */
active [2] proctype P(byte a; int b; bool c) {
	assert(a == 0 && b == 0 && !c);
	a = _pid
}
