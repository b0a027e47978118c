/* expect: holds
 * states: 307
 * what: a byte counts through all its values
 */
byte x;

active [2] proctype P() {
	byte n;
	do
	:: n < 250 -> n = n + 50; x = x + 100
	:: else -> break
	od
}
