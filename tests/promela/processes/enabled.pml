/* expect: holds
 * states: 8
 * what: enabled() of another process, in a claim
 */
byte x;

active proctype P() {
	x = 1;
	x == 2
}

active proctype Q() {
	x == 1;
	x = 2
}

never {
	do
	:: enabled(0)
	:: !enabled(0)
	od
}
