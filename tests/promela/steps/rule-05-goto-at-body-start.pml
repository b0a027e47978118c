/* expect: holds
 * states: 8
 * what: a goto at the start of a body is no step
 */
byte x;

active proctype P() {
	goto there;
	x = 1;
there:
	x = 2;
	goto further;
	x = 3;
further:
	skip
}

active proctype Q() {
	x == 2
}
