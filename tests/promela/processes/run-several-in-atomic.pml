/* expect: holds
 * states: 39
 * what: the usual start of a system
 */
byte n;

proctype W(byte id) {
	byte before = n;
	n = before + id
}

init {
	atomic {
		run W(1);
		run W(2);
		run W(4)
	}
	(_nr_pr == 1);
	assert(n > 0 && n <= 7)
}
