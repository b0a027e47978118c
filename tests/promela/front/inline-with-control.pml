/* expect: holds
 * states: 71
 * what: an inline with if, do, break and labels used twice
 */
byte x;

inline upto(limit) {
	do
	:: x < limit -> x++
	:: x >= limit -> break
	od
}

active [2] proctype P() {
	upto(2);
	atomic { upto(4) };
	d_step { upto(5) }
}
