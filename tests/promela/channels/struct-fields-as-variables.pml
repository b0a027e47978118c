/* expect: holds
 * states: 8
 * what: fields and array elements as targets of a receive
 */
typedef T { byte x; byte y[2] };
T t;
byte i;
chan q = [2] of { byte, byte };

active proctype P() {
	q!1,2;
	q?i,t.y[1];
	assert(i == 1 && t.y[1] == 2);
	q!3,4;
	q?t.x,t.y[0];
	assert(t.x == 3 && t.y[0] == 4)
}
