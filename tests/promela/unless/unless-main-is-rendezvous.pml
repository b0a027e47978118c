/* expect: holds
 * states: 44
 * what: a rendezvous in the main part, an escape beside it
 */
chan c = [0] of { byte };
byte x;
bool stop;

active proctype P() {
	byte v;
	{ c?v; x = v } unless { stop -> x = 8 };
	assert(x == 1 || x == 8)
}

active proctype Q() {
	if
	:: c!1
	:: stop
	fi
}

active proctype R() {
	stop = true
}
