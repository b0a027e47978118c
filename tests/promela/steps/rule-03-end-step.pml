/* expect: holds
 * states: 15
 * what: every process ends with a step of its own
 */
byte x;

active [3] proctype P() {
	x++
}
