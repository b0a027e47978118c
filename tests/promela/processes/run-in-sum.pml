/* expect: holds
 * states: 8
 * what: run may stand inside an expression
 */
byte x;

proctype Q() { skip }

init {
	x = 1 + run Q();
	assert(x == 2)
}
