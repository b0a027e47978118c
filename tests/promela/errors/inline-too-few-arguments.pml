/* expect: error
 * line: 10
 * what: an inline with too few arguments
 */
byte x;

inline set(a, b) { x = a + b }

active proctype P() {
	set(1) /* refused here */
}
