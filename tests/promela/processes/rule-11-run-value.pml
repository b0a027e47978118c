/* expect: holds
 * states: 28
 * what: run gives the pid of the new process
 */
bool go;

proctype Child(byte expected) {
	assert(_pid == expected);
	go
}

init {
	pid p;
	p = run Child(1);
	assert(p == 1);
	p = run Child(2);
	assert(p == 2);
	go = true;
	_nr_pr == 1
}
