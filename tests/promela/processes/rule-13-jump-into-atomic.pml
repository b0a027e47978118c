/* expect: holds
 * states: 7
 * what: a jump into an atomic makes the rest atomic
 */
byte x;

active proctype P() {
	goto inside;
	atomic {
		x = 9;
inside:
		x = 1;
		x = 2
	}
}

active proctype Q() {
	assert(x != 1)
}
