/* expect: violated
 * fault: assertion 9
 * what: what comes after a failed assertion is not explored
 */
byte x;

active proctype P() {
	x = 1;
	assert(x == 2);
	x = 3
}

active proctype Q() {
	{ x == 7 } unless { true }
}
