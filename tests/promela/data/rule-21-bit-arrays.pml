/* expect: holds
 * states: 11
 * what: the elements of an array of bit are bytes and keep more than one bit
 */
bit a[5];
bool b[3];

active proctype P() {
	a[2] = 3;
	assert(a[2] == 3 && a[1] == 0 && a[3] == 0);
	a[4] = 2;
	assert(a[4] == 2);
	b[1] = 263;
	assert(b[1] == 7);
	a[0]++;
	a[0]++;
	assert(a[0] == 2)
}
