/* expect: violated
 * fault: assertion 23
 * what: after a handshake that began in an atomic others may run
 */
chan c = [0] of { byte };
byte x;

active proctype S() {
	atomic {
		x = 1;
		c!1;
		x = 2
	}
}

active proctype R() {
	c?1;
	skip
}

active proctype Watch() {
end:	x == 1;
	assert(x == 2)
}
