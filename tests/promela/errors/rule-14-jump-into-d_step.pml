/* expect: error
 * line: 8
 * what: a jump into a d_step
 */
byte x;

active proctype P() {
	goto inside; /* refused here */
	d_step {
		x = 1;
inside:
		x = 2
	}
}
