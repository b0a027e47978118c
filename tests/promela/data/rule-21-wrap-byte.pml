/* expect: holds
 * states: 9
 * what: a byte has 8 bits without sign
 */
byte x = 250;

active proctype P() {
	x = x + 10;
	assert(x == 4);
	x = 0;
	x--;
	assert(x == 255);
	x = -1;
	assert(x == 255 && -1 != x)
}
