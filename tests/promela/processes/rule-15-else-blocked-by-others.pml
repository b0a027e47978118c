/* expect: holds
 * states: 25
 * what: else counts only when no other option is executable
 */
byte x;

active proctype P() {
	if
	:: x == 1 -> x = 10
	:: else -> x = 20
	fi;
	assert(x == 10 || x == 20 || x == 1)
}

active proctype Q() {
	x = 1
}
