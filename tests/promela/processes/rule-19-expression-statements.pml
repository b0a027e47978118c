/* expect: holds
 * states: 10
 * what: expressions as statements
 */
byte x = 2;
bool b = true;

active proctype P() {
	b;
	x;
	!(!b);
	(x > 1) && b;
	x * 0 + 1;
	(x -> 1 : 0);
	-x;
	~0
}
