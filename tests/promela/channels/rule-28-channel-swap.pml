/* expect: holds
 * states: 11
 * what: two channels swapped through a third variable
 */
chan a = [1] of { byte };
chan b = [1] of { byte };
chan t;

active proctype P() {
	byte v;
	a!1;
	b!2;
	t = a;
	a = b;
	b = t;
	a?v;
	assert(v == 2);
	b?v;
	assert(v == 1)
}
