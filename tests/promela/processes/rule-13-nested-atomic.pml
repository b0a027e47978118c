/* expect: holds
 * states: 10
 * what: an atomic inside an atomic
 */
byte x;

active proctype P() {
	atomic {
		x = 1;
		atomic { x = 2; x = 3 };
		x = 4
	};
	x = 5
}

active proctype Q() {
	assert(x == 0 || x >= 4)
}
