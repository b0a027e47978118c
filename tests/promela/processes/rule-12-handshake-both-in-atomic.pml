/* expect: holds
 * states: 34
 * what: both ends inside an atomic, back and forth
 */
chan c = [0] of { byte };
chan d = [0] of { byte };
byte x;

active proctype A() {
	byte v;
	atomic {
		x = 1;
		c!1;
		x = 2;
		d?v;
		x = 3;
		c!v
	}
}

active proctype B() {
	byte w;
	atomic {
		c?w;
		x = 4;
		d!w + 1;
		x = 5;
		c?w
	}
}

active proctype Z() {
	byte seen;
	seen = x
}
