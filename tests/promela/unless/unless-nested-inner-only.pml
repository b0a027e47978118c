/* expect: holds
 * states: 29
 * what: only the inner escape is enabled, the outer part goes on behind it
 */
byte x, y;

active proctype P() {
	{
		{
			x = 1;
			x = 2
		} unless {
			x == 1 -> y = 1
		};
		y = 3;
		x = 5
	} unless {
		x == 5 -> y = 2
	};
	assert(y == 3)
}

active proctype Q() {
	byte z = 1;
	z = y
}
