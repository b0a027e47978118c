/* expect: error
 * line: 9
 * spin: differs
 * what: embedded C; Spin takes it, Auspex does not
 */
byte x;

active proctype P() {
	c_code { now.x = 1; }; /* refused here */
	assert(x == 1)
}
