/* expect: holds
 * states: 7
 * what: a handshake with a process that may not move
 */
chan c = [0] of { byte };
bool go;

active proctype R() provided (go) {
	c?_
}

active proctype S() {
	do
	:: c!1 -> break
	:: !go -> go = true
	od;
	go = true
}
