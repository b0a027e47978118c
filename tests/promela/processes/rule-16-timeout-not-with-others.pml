/* expect: violated
 * fault: assertion 13
 * what: timeout does not fire while anything can move
 */
bool ready, fired;

active proctype P() {
	timeout -> fired = true
}

active proctype Q() {
	ready = true;
	assert(fired)
}
