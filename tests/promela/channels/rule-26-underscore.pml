/* expect: holds
 * states: 8
 * what: _ takes any value and keeps none
 */
chan q = [2] of { byte, byte };
byte v;

active proctype P() {
	q!1,2;
	q!3,4;
	q?_,v;
	assert(v == 2);
	q?v,_;
	assert(v == 3)
}
