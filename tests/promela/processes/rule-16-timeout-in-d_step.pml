/* expect: holds
 * states: 8
 * what: timeout stays true to the end of a d_step, and not to that of an atomic run
 */
byte x, y, z, seen;

active proctype waits() {
	d_step { timeout -> x = timeout; y = 1 };
	atomic { d_step { timeout -> z = 1 + timeout }; seen = 10 + timeout };
	assert(x == 1 && z == 2 && seen == 10)
}

active proctype other() {
	y == 1;
	do
	:: seen == 0 && z == 0 -> break
	od
}
