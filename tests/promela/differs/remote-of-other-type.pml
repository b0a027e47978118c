/* expect: holds
 * states: 13
 * spin: differs
 * what: a process of another type is never at the label
 */
byte x;
active proctype Q() {
	there: x = 1
}
active proctype P() {
	here: x = 2;
	assert(!P[0]@here)
}
