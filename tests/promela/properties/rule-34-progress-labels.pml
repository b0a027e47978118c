/* expect: holds
 * states: 5
 * what: progress labels do not matter for safety
 */
byte x;

active proctype P() {
	do
	:: x == 0 ->
progress:	x = 1
	:: x == 1 -> x = 0
	:: x == 1 -> skip
	od
}
