/* expect: holds
 * states: 167
 * what: an atomic that blocked goes on when it can, again without interruption
 */
byte x, turn, seen;

active proctype A() {
	atomic {
		x = 1;
		turn >= 1;
		x = 2;
		x = 3;
		turn == 2;
		x = 4
	};
	x = 5
}

active proctype B() {
	turn = 1;
	seen = x;
	turn = 2;
	assert(x != 2)
}

active proctype C() {
	assert(x != 2);
	seen = x
}
