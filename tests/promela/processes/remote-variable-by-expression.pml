/* expect: holds
 * states: 20
 * what: the process of a remote reference is an expression
 */
byte sum, other = 1;
bool go;

active [2] proctype P() {
	byte mine;
	mine = _pid + 5;
	go
}

active proctype Watch() {
	P[0]:mine == 5;
	P[other]:mine == 6;
	sum = P[other - 1]:mine + P[other]:mine;
	assert(sum == 11);
	go = true
}
