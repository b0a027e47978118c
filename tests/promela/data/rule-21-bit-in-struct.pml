/* expect: holds
 * states: 10
 * what: bit and unsigned fields of a structure are cut
 */
typedef T { bit b; unsigned u : 2; bool c; bit d[2] };
T t;
T many[2];

active proctype P() {
	t.b = 2;
	t.u = 7;
	t.c = 5;
	t.d[1] = 5;
	assert(t.b == 0 && t.u == 3 && t.c == 1 && t.d[1] == 5);
	many[1].b = 3;
	many[1].u = 6;
	assert(many[1].b == 1 && many[1].u == 2)
}
