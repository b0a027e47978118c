/* expect: violated
 * fault: assertion 11
 * what: a failed assertion inside a d_step
 */
byte x = 1;

active proctype P() {
	x = 2;
	d_step {
		x = x * 2;
		assert(x < 4);
		x = 0
	}
}
