/* expect: holds
 * states: 12
 * what: the first statement of a d_step may block
 */
byte x;

active proctype P() {
	d_step { x == 3; x = 0 };
	x = 9
}

active proctype Q() {
	x = 2;
	x = 3;
	assert(x == 3 || x == 0 || x == 9)
}
