/* expect: error
 * line: 5
 * what: a name that is a keyword now
 */
byte priority; /* refused here */

active proctype P() {
	priority = 1
}
