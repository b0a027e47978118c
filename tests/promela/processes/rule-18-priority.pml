/* expect: holds
 * states: 9
 * what: only the enabled processes with the highest priority move
 */
byte order;

active proctype Low() priority 1 {
	assert(order == 3);
	order = 4
}

active proctype High() priority 5 {
	assert(order == 0);
	order = 1;
	order = 2;
	order = 3
}
