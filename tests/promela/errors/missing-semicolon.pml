/* expect: error
 * line: 8
 * what: two statements on one line without a separator
 */
byte x;

active proctype P() {
	x = 1 x = 2 /* refused here */
}
