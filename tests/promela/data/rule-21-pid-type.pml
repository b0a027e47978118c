/* expect: holds
 * states: 5
 * what: pid is a byte
 */
pid p;

active proctype P() {
	p = 257;
	assert(p == 1);
	p = _pid
}
