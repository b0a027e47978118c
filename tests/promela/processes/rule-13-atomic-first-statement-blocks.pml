/* expect: holds
 * states: 9
 * what: an atomic waits at its first statement without harm
 */
byte x;

active proctype P() {
	atomic { x == 2 -> x = 10; x = 20 }
}

active proctype Q() {
	x = 1;
	x = 2;
	assert(x == 2 || x == 20)
}
