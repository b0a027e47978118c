/* expect: error
 * line: 8
 * what: an array needs its index
 */
byte a[3];

active proctype P() {
	a = 5 /* refused here */
}
