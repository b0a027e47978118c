/* expect: error
 * line: 6
 * what: a jump to a label that is not there
 */
active proctype P() {
	goto nowhere /* refused here */
}
