/* expect: holds
 * states: 23
 * what: a receive inside an atomic makes the receiver run on
 */
chan c = [0] of { byte };
byte x;

active proctype S() {
	atomic {
		x = 1;
		c!1;
		x = 3
	}
}

active proctype R() {
	atomic {
		c?1;
		x = 2;
		x = 5;
		x = 2
	};
	assert(x == 2 || x == 3)
}

active proctype Watch() {
	assert(x != 5);
	skip
}
