/* expect: holds
 * states: 4
 * spin: differs
 * what: an assignment as an option of the first choice of a d_step can always run; pan waits for the condition
 */
byte x, y;
active proctype P() {
	d_step { if :: x = 1 :: y > 0 -> x = 2 fi };
	assert(x == 1)
}
