/* expect: holds
 * states: 24
 * what: an escape beside an atomic that blocks
 */
byte x, y;

active proctype P() {
	{
		atomic { x = 1; y == 1; x = 2 };
		x = 3
	} unless {
		y == 2 -> x = 4
	}
}

active proctype Q() {
	y = 1;
	y = 2
}
