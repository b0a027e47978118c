/* expect: error
 * line: 7
 * what: a for whose constant bounds are the wrong way round
 */
active proctype P() {
	byte i;
	for (i : 3 .. 2) { /* refused here */
		skip
	}
}
