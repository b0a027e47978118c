/* expect: holds
 * states: 18
 * what: a d_step is one transition
 */
byte x, y;

active [2] proctype P() {
	d_step {
		x++;
		y = x;
		x++
	};
	assert(x != 1);
	d_step { x > 2 -> y = 0 }
}
