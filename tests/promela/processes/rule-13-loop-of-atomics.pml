/* expect: holds
 * states: 10
 * what: atomic options in a loop
 */
byte x;

active [2] proctype P() {
	do
	:: atomic { x < 5 -> x++; x++ }
	:: atomic { x >= 5 -> break }
	od
}
