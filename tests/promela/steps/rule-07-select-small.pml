/* expect: holds
 * states: 365
 * what: select over a small range is one step per value
 */
byte x;

active proctype P() {
	byte i;
	select (i : 2 .. 9);
	x = i
}

active proctype Q() {
	int j;
	select (j : -2 .. 2);
	assert(j >= -2 && j <= 2)
}
