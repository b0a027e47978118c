/* expect: violated
 * fault: deadlock
 * what: a process that may never move again
 */
bool go = true;

active proctype P() provided (go) {
	skip;
	go = false;
	skip
}
