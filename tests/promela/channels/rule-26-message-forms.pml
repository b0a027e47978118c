/* expect: holds
 * states: 8
 * what: q?a(b,c) is q?a,b,c, and the same for sends
 */
mtype = { req, rep };
chan q = [2] of { mtype, byte, bool };

active proctype P() {
	byte x;
	bool y;
	q!req(5, true);
	q!rep,6,false;
	q?req(x, y);
	assert(x == 5 && y);
	q?rep,x,y;
	assert(x == 6 && !y)
}
