/* expect: holds
 * states: 12
 * what: ?<> copies without removing
 */
chan q = [2] of { byte, byte };
byte a, b;

active proctype P() {
	q!1,2;
	q!3,4;
	q?<a,b>;
	assert(a == 1 && b == 2 && len(q) == 2);
	q?<a,2>;
	q??<3,b>;
	assert(b == 4 && len(q) == 2);
	q?1,a;
	q?<3,a>;
	assert(a == 4 && len(q) == 1)
}
