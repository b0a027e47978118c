/* expect: holds
 * states: 5
 * what: a for over an empty range does nothing
 */
byte n, lo = 3;

active proctype P() {
	byte i;
	for (i : lo .. lo - 1) {
		n++
	}
	assert(n == 0 && i == 3)
}
