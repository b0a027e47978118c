/* expect: holds
 * states: 15
 * what: timeout as an escape
 */
byte x;

active [2] proctype P() {
	{ x == 5 -> x = 0 } unless { timeout -> x++ };
	x = x + 2
}
