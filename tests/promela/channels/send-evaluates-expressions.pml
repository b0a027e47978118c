/* expect: holds
 * states: 8
 * what: expressions in a send
 */
chan q = [2] of { byte, int };
byte x = 3;
int y;

active proctype P() {
	q!x + 1,(x > 2 -> -5 : 5);
	q!len(q),x * 100;
	q?x,y;
	assert(x == 4 && y == -5);
	q?x,y;
	assert(x == 1 && y == 300)
}
