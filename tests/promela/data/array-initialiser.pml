/* expect: holds
 * states: 7
 * what: one value for all, and a list of values
 */
byte a[3] = 7;
int b[3] = { 1, 2, 3 };
short c[2] = { 4 };

active proctype P() {
	byte d[2] = 4;
	assert(a[0] == 7 && a[2] == 7);
	assert(b[0] == 1 && b[1] == 2 && b[2] == 3);
	assert(d[0] == 4 && d[1] == 4 && c[0] == 4);
	d[a[0] - 6] = b[1];
	assert(d[1] == 2)
}
