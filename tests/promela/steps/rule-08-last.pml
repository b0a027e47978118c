/* expect: holds
 * states: 223
 * what: _last is part of the state as soon as it is mentioned
 */
byte x;

active [2] proctype P() {
	byte n;
	do
	:: n < 2 -> n++; x = _last
	:: else -> break
	od
}
