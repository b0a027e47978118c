/* expect: holds
 * states: 10
 * what: an atomic that blocks half-way is stored there and others may move
 */
byte x, y;

active proctype A() {
	atomic {
		x = 1;
		x = 2;
		y == 1;
		x = 3;
		x = 4
	}
}

active proctype B() {
	x > 0;
	assert(x == 2 || x == 4);
	y = 1;
	x == 4;
	y = 2
}
