/* expect: error
 * line: 8
 * what: a label on the first statement of a block
 */
byte x;

active proctype P() {
	atomic { L: x = 1; /* refused here */
		x = 2 };
	goto L
}
