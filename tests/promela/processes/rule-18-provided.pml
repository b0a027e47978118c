/* expect: holds
 * states: 72
 * what: no step while the condition is false, not even the closing one
 */
byte turn, log;

active [2] proctype P() provided (turn == _pid) {
	log++;
	log++;
	turn = 1 - turn
}

active proctype Q() {
	byte seen;
	seen = turn;
	turn = 0;
	turn = 1
}
