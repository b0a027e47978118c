/* expect: holds
 * states: 20
 * what: else beside a rendezvous send: executable only when nobody receives
 */
chan c = [0] of { byte };
byte x, y;

active proctype S() {
	if
	:: c!1 -> x = 1
	:: else -> x = 2
	fi
}

active proctype R() {
	skip;
	if
	:: c?_ -> y = 1
	:: x == 2 -> y = 2
	fi;
	assert(x != 1 || y == 1)
}
