/* expect: error
 * line: 10
 * what: a jump out of a d_step
 */
byte x;

active proctype P() {
	d_step {
		x = 1;
		goto out /* refused here */
	};
	x = 3;
out:
	skip
}
