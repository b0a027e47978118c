/* expect: holds
 * states: 21
 * what: conditional expressions, nested and with side conditions
 */
byte x = 3, y;

active [2] proctype P() {
	y = (x > 2 -> (x > 5 -> 1 : 2) : 3);
	x = (_pid == 0 -> x + 1 : x + 2);
	assert((x > 3 -> 1 : 0) || x <= 3)
}
