/* expect: error
 * line: 8
 * what: two exclamation marks are one operator, the sorted send
 */
byte x, y;

active proctype P() {
	y = !!x /* refused here */
}
