/* expect: holds
 * states: 13
 * what: bit and bool keep the lowest bit
 */
bit a;
bool b;

active proctype P() {
	a = 2;
	assert(a == 0);
	b = 3;
	assert(b == true);
	a++;
	a++;
	assert(a == 0);
	b = b + b;
	assert(!b);
	a--;
	assert(a == 1)
}
