/* expect: holds
 * states: 11
 * what: a local variable of another process
 */
byte x;

active proctype P() {
	byte n;
	n = 3;
	n = 7;
	x = 1;
	x == 2
}

active proctype Watch() {
	x == 1;
	assert(P[0]:n == 7);
	x = 2
}
