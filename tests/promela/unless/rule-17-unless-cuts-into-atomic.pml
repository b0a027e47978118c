/* expect: holds
 * states: 5
 * what: an escape cuts even into an atomic of the main part
 */
byte x, y;

active proctype P() {
	{
		atomic {
			x = 1;
			x = 2;
			x = 3
		}
	} unless {
		x == 2 -> y = 1
	};
	assert(y == 1 && x == 2)
}
