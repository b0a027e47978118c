/* expect: holds
 * states: 117
 * what: a break as the only statement of an option is a step
 */
byte x;

active [2] proctype P() {
	do
	:: break
	:: x < 4 -> x++
	od;
	do
	:: x++; break
	od
}
