/* expect: holds
 * states: 5
 * what: an escape does not cut into a d_step
 */
byte x, y;

active proctype P() {
	{
		d_step {
			x = 1;
			x = 2;
			x = 3
		};
		x = 4
	} unless {
		x == 2 -> y = 1
	};
	assert(y == 0 && x == 4)
}
