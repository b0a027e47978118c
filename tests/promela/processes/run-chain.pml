/* expect: holds
 * states: 24
 * what: processes that start processes
 */
byte depth;

proctype Link(byte n) {
	depth++;
	if
	:: n > 0 -> run Link(n - 1)
	:: else
	fi
}

init {
	run Link(4);
	_nr_pr == 1;
	assert(depth == 5)
}
