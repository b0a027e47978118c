/* expect: error
 * line: 6
 * what: run of a proctype that is not there
 */
init {
	run Nobody() /* refused here */
}
