/* expect: error
 * line: 8
 * what: run may not be a part of a condition
 */
proctype Q() { skip }

init {
	(run Q() > 0) /* refused here */
}
