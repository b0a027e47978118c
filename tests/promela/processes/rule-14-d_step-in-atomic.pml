/* expect: holds
 * states: 13
 * what: a d_step inside an atomic
 */
byte x;

active [2] proctype P() {
	atomic {
		x++;
		d_step { x++; x++ };
		x++
	};
	assert(x == 4 || x == 8)
}
