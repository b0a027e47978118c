/* expect: holds
 * states: 13
 * what: the pid of a dead process is given out again
 */
byte first, second;

proctype Child(byte which) {
	if
	:: which == 0 -> first = _pid
	:: else -> second = _pid
	fi
}

init {
	run Child(0);
	_nr_pr == 1;
	run Child(1);
	_nr_pr == 1;
	assert(first == 1 && second == 1)
}
