/* expect: violated
 * fault: assertion 14
 * what: local steps that a reduction merges, and a fault behind them
 */
byte shared;

active [2] proctype P() {
	byte a, b;
	a = 1;
	b = a + 1;
	a = b + 1;
	shared = shared + a;
	b = 0;
	assert(shared < 6)
}
