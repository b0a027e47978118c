/* expect: holds
 * states: 9
 * what: a goto that leaves the main part leaves its escape behind
 */
byte x, y;

active proctype P() {
	{
		x = 1;
		if
		:: goto out
		:: x = 2
		fi;
		x = 3
	} unless {
		x == 3 || x == 4 -> y = 1
	};
out:
	x = 4;
	x = 5;
	assert(y == 0)
}
