/* expect: holds
 * states: 6
 * what: a division behind a short-circuit guard
 */
byte x, y = 10;

active proctype P() {
	if
	:: x != 0 && y / x > 1 -> y = 1
	:: x == 0 || y / x > 1 -> y = 2
	fi;
	y = (x != 0 -> y / x : 5);
	assert(y == 5)
}
