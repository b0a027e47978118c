/* expect: violated
 * fault: d_step 8
 * spin: differs
 * what: a d_step that never ends is a fault; pan hangs
 */
byte x;
active proctype P() {
	d_step { do :: x = 1 - x od }
}
