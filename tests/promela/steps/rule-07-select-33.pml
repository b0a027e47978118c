/* expect: holds
 * states: 68
 * what: one value more and select becomes a loop
 */
active proctype P() {
	byte i;
	select (i : 1 .. 33);
	assert(i >= 1 && i <= 33)
}
