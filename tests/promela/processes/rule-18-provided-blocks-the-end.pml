/* expect: violated
 * fault: deadlock
 * what: a process at its end whose condition is false stops the others from ending too
 */
bool go = true;

active proctype Old() {
	skip;
	_nr_pr == 1
}

active proctype Young() provided (go) {
	go = false
}
