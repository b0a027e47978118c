/* expect: holds
 * states: 33
 * what: a sender inside an atomic and a plain receiver
 */
chan c = [0] of { byte };
byte x;

active proctype S() {
	atomic {
		c!1;
		x++;
		x++;
		c!2;
		x++
	}
}

active [2] proctype R() {
	byte v;
	c?v;
	x = x + v
}
