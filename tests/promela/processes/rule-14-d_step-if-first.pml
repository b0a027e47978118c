/* expect: violated
 * fault: deadlock
 * what: a d_step that begins with a choice
 */
byte x;

active [3] proctype P() {
	d_step {
		if
		:: x == 0 -> x = 1
		:: x == 1 -> x = 3
		:: x == 3 -> x = 0
		fi;
		x = x * 2
	}
}

active proctype Q() {
	do
	:: x == 2 -> x = 0
	:: x == 6 -> x = 3
	:: x == 0 -> break
	od
}
