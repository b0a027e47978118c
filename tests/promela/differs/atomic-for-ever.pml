/* expect: holds
 * states: 1
 * spin: differs
 * what: an atomic that goes round for ever has no successor; pan runs into its depth limit
 */
byte x, y;
active proctype P() {
	atomic { do :: x = 1 - x od }
}
active proctype Q() {
	end: y == 1
}
