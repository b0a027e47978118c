/* expect: holds
 * states: ?
 * what: an array without its index is its first element
 */
byte a[3];

active proctype P() {
	a = 5;
	assert(a[0] == 5);
	a[1] = a;
	assert(a[1] == 5 && a[2] == 0)
}
