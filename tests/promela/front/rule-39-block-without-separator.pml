/* expect: holds
 * states: 7
 * what: no separator after a closing brace
 */
byte x;

active proctype P() {
	{ x = 1 }
	{ x = 2 }
	atomic { x = 3 }
	d_step { x = 4 }
	x = 5
}
