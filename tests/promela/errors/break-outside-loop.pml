/* expect: error
 * line: 7
 * what: break outside any loop
 */
active proctype P() {
	skip;
	break /* refused here */
}
