/* expect: holds
 * states: 10
 * what: run as a guard and in a condition
 */
byte n;

proctype Q() { n++ }

init {
	if
	:: run Q() -> n = n + 10
	fi;
	_nr_pr == 1;
	assert(n == 11 || n == 10)
}
