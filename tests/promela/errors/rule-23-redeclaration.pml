/* expect: error
 * line: 8
 * what: an inner declaration may not repeat a visible name
 */
active proctype P() {
	byte x;
	{
		byte x; /* refused here */
		x = 1
	}
}
