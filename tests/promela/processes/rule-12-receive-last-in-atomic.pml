/* expect: holds
 * states: 62
 * what: the receive is the last statement of the receiver's atomic
 */
chan c = [0] of { byte };
byte x;

active proctype S() {
	atomic { x++; c!3; x++ };
	x++
}

active proctype R() {
	byte v;
	atomic { x++; c?v };
	x = x + v
}

active proctype W() {
	byte y = 1;
	y = x
}
