/* expect: holds
 * states: 181
 * what: the label of another process in an assertion
 */
byte turn;

active [2] proctype P() {
	byte n;
	do
	:: n < 2 ->
		turn == _pid;
crit:		skip;
		turn = 1 - turn;
		n++
	:: else -> break
	od
}

active proctype Watch() {
	assert(!(P[0]@crit && P[1]@crit))
}
