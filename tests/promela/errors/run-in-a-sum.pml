/* expect: error
 * line: 10
 * what: run may not be a part of an expression
 */
proctype Q() { skip }

init {
	byte x;
	x = 1 + run Q() /* refused here */
}
