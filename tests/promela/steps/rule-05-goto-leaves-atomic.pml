/* expect: holds
 * states: 19
 * what: a goto that leaves an atomic is a step
 */
byte x;

active proctype P() {
	atomic {
		x = 1;
		x = 2;
		goto out
	};
	x = 3;
out:
	x = 4
}

active proctype Q() {
	byte y;
	y = x;
	y = x
}
