/* expect: holds
 * states: 77
 * what: else inside an if that begins an option
 */
byte x;

active [2] proctype P() {
	do
	:: x < 3 ->
		if
		:: x == 1 -> x = 2
		:: else -> x++
		fi
	:: else -> break
	od
}
