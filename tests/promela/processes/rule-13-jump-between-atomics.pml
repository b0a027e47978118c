/* expect: holds
 * states: 17
 * what: from one atomic into another
 */
byte x;

active proctype P() {
	byte n;
	atomic {
		x = 1;
		if
		:: n == 0 -> goto second
		:: else
		fi;
		x = 2
	};
	goto out;
	atomic {
		x = 3;
second:
		n = 1;
		x = 4
	};
out:
	x = 0
}

active proctype Q() {
	byte s = 9;
	s = x;
	s = x
}
