/* expect: holds
 * states: 6
 * what: an escape that is a choice
 */
byte x, y;

active proctype P() {
	{ x = 1; x = 2; x = 3 } unless {
		if
		:: x == 1 -> y = 1
		:: x == 2 -> y = 2
		:: y == 5 -> y = 3
		fi
	};
	assert(y == 1)
}
