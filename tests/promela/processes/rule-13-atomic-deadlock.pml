/* expect: violated
 * fault: deadlock
 * what: an atomic that can never go on
 */
byte x;

active proctype P() {
	atomic { x = 1; x == 2; x = 3 }
}

active proctype Q() {
	x = 0
}
