/* expect: holds
 * states: 5
 * spin: differs
 * what: else in an escape runs only when no other option can
 */
byte x;
active proctype P() {
	{ x = 9 } unless { if :: x == 0 -> x = 1 :: else -> x = 2 fi };
	assert(x == 1)
}
