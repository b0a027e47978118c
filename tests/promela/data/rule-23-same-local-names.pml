/* expect: holds
 * states: 10
 * what: locals of different proctypes
 */
byte g;

active proctype P() {
	byte x = 1;
	g = x
}

active proctype Q() {
	int x = 300;
	short y = x;
	g = x + y
}
