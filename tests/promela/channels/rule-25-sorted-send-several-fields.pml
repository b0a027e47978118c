/* expect: holds
 * states: 14
 * what: !! compares over all fields
 */
chan q = [5] of { byte, short };
short x, y;

active proctype P() {
	q!!2,1;
	q!!1,5;
	q!!1,-3;
	q!!2,0;
	q?x,y; assert(x == 1 && y == -3);
	q?x,y; assert(x == 1 && y == 5);
	q?x,y; assert(x == 2 && y == 0);
	q?x,y; assert(x == 2 && y == 1)
}
