/* expect: holds
 * states: 10
 * what: a rendezvous is one transition, its half-way state is not stored
 */
chan c = [0] of { byte };
byte got;

active proctype S() {
	c!1;
	c!2;
	c!3
}

active proctype R() {
	byte v;
	do
	:: c?v; got = got + v
	:: got == 6 -> break
	od
}
