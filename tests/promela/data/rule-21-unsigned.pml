/* expect: holds
 * states: 12
 * what: unsigned with a width
 */
unsigned u : 3;
unsigned v : 5 = 17;

active proctype P() {
	unsigned w : 1;
	u = 9;
	assert(u == 1);
	u--;
	u--;
	assert(u == 7);
	v = v * 2;
	assert(v == 2);
	w = 3;
	assert(w == 1);
	u = v + w
}
