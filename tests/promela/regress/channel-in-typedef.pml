/* expect: holds
 * states: 6
 * what: every variable of a typedef with a channel has a channel of its own
 */
typedef N { chan c = [1] of { byte }; byte id = 4 };
N n[2];
byte x;

init {
	n[0].c!1;
	n[1].c!2;
	n[1].c?x;
	assert(x == 2 && n[0].id == 4)
}
