/* expect: holds
 * states: 74
 * what: timeout beside else: else comes first
 */
byte x;

active proctype P() {
	byte n;
	do
	:: n < 2 -> n++
	:: timeout -> break
	:: x == 1 -> n = 0; x = 2
	od
}

active proctype Q() {
	byte m;
	do
	:: m < 3 ->
		if
		:: x == 7 -> skip
		:: else -> m++
		fi
	:: timeout -> break
	od;
	x++
}
