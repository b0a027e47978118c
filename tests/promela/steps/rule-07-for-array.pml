/* expect: holds
 * states: 31
 * what: for over an array runs over its indices
 */
byte a[4];
byte sum;

active proctype P() {
	byte i;
	for (i in a) {
		a[i] = i * i
	}
	for (i in a) {
		sum = sum + a[i]
	}
	assert(sum == 14)
}
