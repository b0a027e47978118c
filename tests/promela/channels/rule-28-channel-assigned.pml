/* expect: holds
 * states: 10
 * what: a channel variable takes another channel
 */
chan a = [1] of { byte };
chan b = [1] of { byte };
chan c;

active proctype P() {
	byte v;
	c = a;
	c!1;
	c = b;
	c!2;
	a?v;
	assert(v == 1);
	b?v;
	assert(v == 2 && c == b && c != a)
}
