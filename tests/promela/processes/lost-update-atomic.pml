/* expect: holds
 * states: 13
 * what: the classic lost update, mended
 */
byte n;

proctype Inc() {
	byte t;
	atomic { t = n; n = t + 1 }
}

init {
	atomic { run Inc(); run Inc() };
	_nr_pr == 1;
	assert(n == 2)
}
