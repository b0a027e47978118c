/* expect: holds
 * states: 34
 * what: an atomic escape
 */
byte x, y;
bool stop;

active proctype P() {
	{ x = 1; x = 2; x = 3 } unless { atomic { stop -> y = 1; y = 2; y = 3 } };
	x = 0
}

active proctype Q() {
	stop = true;
	assert(y != 1 && y != 2)
}
