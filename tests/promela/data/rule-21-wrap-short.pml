/* expect: holds
 * states: 10
 * what: a short has 16 bits with sign
 */
short x = 32767;

active proctype P() {
	x++;
	assert(x == -32768);
	x--;
	assert(x == 32767);
	x = 65535;
	assert(x == -1);
	x = 100000;
	assert(x == -31072)
}
