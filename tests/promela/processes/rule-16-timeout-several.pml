/* expect: holds
 * states: 31
 * what: several processes wait for timeout
 */
byte x;

active [3] proctype P() {
	timeout;
	x++
}

active proctype Q() {
	x == 0;
	x = 1;
	x = 0
}
