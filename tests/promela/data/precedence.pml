/* expect: holds
 * states: 11
 * what: operator precedence
 */
int x = 2;

active proctype P() {
	assert(1 + 2 * 3 == 7);
	assert((1 | 2 & 1) == 1 && (4 | 1 ^ 1) == 4);
	assert(1 << 1 + 1 == 4);
	assert((2 > 1) == 1);
	assert(!x == 0);
	assert(-x + 3 == 1);
	assert(10 - 4 - 3 == 3);
	assert(x == 2 && x > 1 || false);
	assert((x == 2 -> 10 : 20) + 1 == 11)
}
