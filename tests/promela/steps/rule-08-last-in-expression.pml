/* expect: violated
 * fault: assertion 9
 * what: _last names the process that moved before
 */
byte who;

active [2] proctype P() {
	skip;
	assert(_last == _pid)
}
