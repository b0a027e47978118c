/* expect: holds
 * states: 12
 * what: shifts and bit operators as in C
 */
int x = 5;
byte b = 255;

active proctype P() {
	assert((x << 3) == 40);
	assert((-16 >> 2) == -4);
	assert((x & 4) == 4 && (x | 8) == 13 && (x ^ 1) == 4);
	assert(~x == -6);
	b = b << 1;
	assert(b == 254);
	b = b >> 1;
	assert(b == 127);
	b = ~b;
	assert(b == 128)
}
