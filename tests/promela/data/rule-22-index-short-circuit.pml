/* expect: holds
 * states: 13
 * what: a guard that keeps the index in range
 */
byte a[3];
byte i, n;

active proctype P() {
	a[1] = 1;
	do
	:: i < 3 && a[i] == 0 -> n++; i++
	:: i < 3 && a[i] != 0 -> i++
	:: i >= 3 || a[i] == 9 -> break
	od;
	assert(n == 2)
}
