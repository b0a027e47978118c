/* expect: error
 * line: 9
 * what: a name that nobody declared
 */
byte x;

active proctype P() {
	x = 1;
	x = y /* refused here */
}
