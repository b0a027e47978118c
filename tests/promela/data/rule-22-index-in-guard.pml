/* expect: violated
 * fault: index 10
 * what: an index in a guard
 */
byte a[2];
byte i = 2;

active proctype P() {
	do
		:: a[i] == 0 || true -> break
	od
}
