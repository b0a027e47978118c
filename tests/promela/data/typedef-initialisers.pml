/* expect: holds
 * states: 5
 * what: initialisers of structure fields
 */
typedef Cfg { byte size = 3; bool on = true; byte a[2] = 9 };
Cfg g;

active proctype P() {
	Cfg mine;
	assert(g.size == 3 && g.on && g.a[0] == 9 && g.a[1] == 9);
	assert(mine.size == 3 && mine.on && mine.a[1] == 9);
	mine.size = g.size + 1
}
