/* expect: holds
 * states: 14
 * what: ?? takes the first match at any place
 */
chan q = [4] of { byte, byte };
byte v;

active proctype P() {
	q!1,10;
	q!2,20;
	q!1,30;
	q!3,40;
	q??1,v;
	assert(v == 10 && len(q) == 3);
	q??1,v;
	assert(v == 30);
	q??3,v;
	assert(v == 40 && len(q) == 1);
	q??v,20;
	assert(v == 2 && len(q) == 0)
}
