/* expect: holds
 * states: 31
 * what: a never claim does not change what the safety check of the system sees
 */
byte x;

active [2] proctype P() {
	do
	:: x < 3 -> x++
	:: else -> break
	od
}

never {
	do
	:: x < 3
	:: x >= 3 -> break
	od
}
