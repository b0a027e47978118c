/* expect: holds
 * states: 40
 * what: unless inside an option
 */
byte x;

active [2] proctype P() {
	do
	:: { x < 3 -> x++ } unless { x == 2 -> x = 5 }
	:: x >= 3 -> break
	od
}
