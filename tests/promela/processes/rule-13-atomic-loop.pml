/* expect: holds
 * states: 26
 * what: a loop inside an atomic with a break
 */
byte x, y;

active [2] proctype P() {
	atomic {
		do
		:: x < 3 -> x++
		:: x >= 3 -> break
		od;
		y = x
	};
	x = 0;
	assert(y == 3)
}
