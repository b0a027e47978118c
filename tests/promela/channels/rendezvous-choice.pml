/* expect: holds
 * states: 26
 * what: a rendezvous with several partners
 */
chan c = [0] of { byte, byte };
byte got;

active [2] proctype S() {
	c!_pid,1
}

active [2] proctype R() {
	byte who;
	c?who,1;
	got = got + who
}
