/* expect: holds
 * states: 13
 * what: timeout inside an expression
 */
byte x;

active [2] proctype P() {
	do
	:: timeout && x < 2 -> x++
	:: timeout && x >= 2 -> break
	:: !timeout && x == 9 -> skip
	od
}
