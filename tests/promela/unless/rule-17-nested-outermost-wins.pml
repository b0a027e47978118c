/* expect: holds
 * states: 6
 * what: of two enabled escapes the outermost is taken
 */
byte x, y;

active proctype P() {
	{
		{
			x = 1;
			x = 2
		} unless {
			x == 1 -> y = 1
		}
	} unless {
		x == 1 -> y = 2
	};
	assert(y == 2)
}
