/* expect: violated
 * fault: assertion 13
 * what: both processes are at the label
 */
byte turn;

active [2] proctype P() {
crit:	skip;
	turn++
}

active proctype Watch() {
	assert(!(P[0]@crit && P[1]@crit))
}
