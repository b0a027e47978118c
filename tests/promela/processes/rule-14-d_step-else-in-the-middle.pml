/* expect: holds
 * states: 4
 * what: else inside a d_step, wherever it stands in the text
 */
byte x;

active proctype P() {
	d_step {
		if
		:: else -> x = 1
		:: x == 0 -> x = 2
		fi;
		do
		:: x < 6 -> x++
		:: else -> break
		od
	};
	assert(x == 6)
}
