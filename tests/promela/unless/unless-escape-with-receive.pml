/* expect: holds
 * states: 54
 * what: an escape that begins with a receive
 */
chan q = [1] of { byte };
byte x;

active proctype P() {
	byte v;
	{
		do
		:: x < 4 -> x++
		:: x > 0 -> x--
		od
	} unless {
		q?v -> x = 10 + v
	};
	assert(x == 15)
}

active proctype Q() {
	q!5
}
