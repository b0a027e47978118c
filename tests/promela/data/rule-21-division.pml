/* expect: holds
 * states: 7
 * what: division and modulo go towards zero
 */
int x = -7;

active proctype P() {
	assert(x / 2 == -3);
	assert(x % 2 == -1);
	assert(x % 3 == -1);
	assert(7 / -2 == -3 && 7 % -2 == 1);
	x = x % 4
}
