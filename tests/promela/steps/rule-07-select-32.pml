/* expect: holds
 * states: 66
 * what: the largest select that is one step per value
 */
active proctype P() {
	byte i;
	select (i : 1 .. 32);
	assert(i >= 1 && i <= 32)
}
