/* expect: holds
 * states: 5
 * what: an escape whose else is always enabled
 */
byte x, y;

active proctype P() {
	{ x = 1; x = 2 } unless {
		if
		:: x == 7 -> y = 1
		:: else -> y = 2
		fi
	};
	assert(x == 0 && y == 2)
}
