/* expect: holds
 * states: 15
 * what: a rendezvous happens only when the message matches
 */
chan c = [0] of { byte, byte };
byte x;

active proctype S() {
	if
	:: c!1,5 -> x = 1
	:: c!2,6 -> x = 2
	:: c!3,7 -> x = 3
	fi
}

active proctype R() {
	byte v;
	if
	:: c?2,v -> assert(v == 6)
	:: c?v,7 -> assert(v == 3)
	fi
}
