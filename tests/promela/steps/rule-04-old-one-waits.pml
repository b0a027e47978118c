/* expect: violated
 * fault: assertion 13
 * what: a finished process that is not the youngest still counts in _nr_pr
 */
bool stop;

active proctype Old() {
	skip
}

active proctype Young() {
	stop = true;
	assert(_nr_pr == 1)
}
