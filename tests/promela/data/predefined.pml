/* expect: holds
 * states: 31
 * what: _, _pid, _nr_pr and np_ in expressions
 */
byte a;

active [2] proctype P() {
	_ = 5;
	a = _pid + _nr_pr;
	assert(_nr_pr >= 1 && _nr_pr <= 2)
}
