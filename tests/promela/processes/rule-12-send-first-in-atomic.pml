/* expect: holds
 * states: 18
 * what: an atomic whose first statement is a rendezvous send
 */
chan c = [0] of { byte };
byte x;

active [2] proctype S() {
	atomic { c!_pid; x = x + 1 }
}

active proctype R() {
	byte v;
	do
	:: atomic { c?v -> x = x + 2 }
	:: x >= 6 -> break
	od
}
