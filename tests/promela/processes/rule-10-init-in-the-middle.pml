/* expect: holds
 * states: 29
 * what: pids follow the text, init included
 */
byte pa, pi, pb;

active proctype A() { pa = _pid }

init { pi = _pid }

active proctype B() { pb = _pid; assert(pb == 2) }

active proctype C() {
	pa + pi + pb == 3;
	assert(pa == 0 && pi == 1 && _pid == 3)
}
