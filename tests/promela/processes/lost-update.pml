/* expect: violated
 * fault: assertion 16
 * what: the classic lost update
 */
byte n;

proctype Inc() {
	byte t;
	t = n;
	n = t + 1
}

init {
	atomic { run Inc(); run Inc() };
	_nr_pr == 1;
	assert(n == 2)
}
