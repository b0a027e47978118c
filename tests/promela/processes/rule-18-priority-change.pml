/* expect: holds
 * states: 19
 * what: a process changes its own priority
 */
byte x;

active [2] proctype P() priority 5 {
	x++;
	_priority = 2 - _pid + 1;
	x = x * 2;
	set_priority(_pid, 7);
	assert(get_priority(_pid) == 7 && _priority == 7);
	x = x + 3
}
