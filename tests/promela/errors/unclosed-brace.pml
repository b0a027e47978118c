/* expect: error
 * line: 10
 * what: the file ends too early
 */
byte x;

active proctype P() {
	x = 1;
	if
	:: true /* refused here */
