/* expect: holds
 * states: 10
 * what: accept labels do not matter for safety
 */
byte x;

active [2] proctype P() {
accept_here:
	do
	:: x = (x + 1) % 3
	:: x == 2 ->
accept_there:	x = 0
	od
}
