/* expect: holds
 * states: 6
 * what: comparisons and logic give 0 or 1
 */
byte x = 7;
int y;

active proctype P() {
	y = (x > 3) + (x == 7) + (x && 2) + (x || 0) + !x;
	assert(y == 4);
	y = !(!x);
	assert(y == 1)
}
