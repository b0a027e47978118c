/* expect: holds
 * states: 28
 * what: a plain sender and a receiver inside an atomic
 */
chan c = [0] of { byte };
byte x;

active [2] proctype S() {
	c!_pid;
	x++
}

active proctype R() {
	byte a, b;
	atomic {
		c?a;
		x = x + 10;
		c?b;
		x = x + 10
	};
	assert(a + b == 1)
}
