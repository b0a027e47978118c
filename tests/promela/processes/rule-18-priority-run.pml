/* expect: holds
 * states: 10
 * what: a new process of higher priority moves at once, even out of the atomic that started it
 */
byte order;

proctype W(byte n) {
	order = order * 10 + n
}

init {
	atomic {
		run W(1) priority 3;
		run W(2) priority 7
	};
	_nr_pr == 1;
	assert(order == 12)
}
