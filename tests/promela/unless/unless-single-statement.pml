/* expect: holds
 * states: 17
 * what: a statement unless a statement
 */
byte x;

active proctype P() {
	x == 5 unless x == 1;
	x = 7
}

active proctype Q() {
	x = 1;
	if
	:: x == 7
	:: x == 1 -> x = 5
	fi
}
