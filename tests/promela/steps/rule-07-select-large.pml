/* expect: holds
 * states: 424
 * what: select over a large range and over expressions
 */
byte lo = 3;

active proctype P() {
	short i;
	select (i : 0 .. 100);
	assert(i >= 0 && i <= 100);
	select (i : lo .. lo + 4);
	assert(i >= 3 && i <= 7)
}
