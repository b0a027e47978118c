/* expect: error
 * line: 11
 * spin: differs
 * what: Spin takes run inside the right side of an assignment (not in a condition); Auspex wants it alone there
 */
byte x;

proctype Q() { skip }

init {
	x = 1 + run Q();
	assert(x == 2)
}
