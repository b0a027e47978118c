/* expect: error
 * line: 5
 * what: the preprocessor knows unix and linux
 */
byte unix; /* refused here */

active proctype P() {
	unix = 1
}
