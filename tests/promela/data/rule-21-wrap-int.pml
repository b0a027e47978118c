/* expect: holds
 * states: 9
 * what: an int has 32 bits with sign
 */
int x = 2147483647;
int y;

active proctype P() {
	y = x;
	x = x + 1;
	assert(x == -2147483647 - 1);
	x = x - 1;
	assert(x == y);
	x = 65536 * 65536;
	assert(x == 0)
}
