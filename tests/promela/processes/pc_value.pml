/* expect: violated
 * fault: assertion 10
 * what: pc_value differs before and after a step
 */
byte x, before;

active proctype P() {
	before = pc_value(0);
	x = 1;
	assert(pc_value(0) == before)
}
