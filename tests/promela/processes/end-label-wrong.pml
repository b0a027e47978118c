/* expect: violated
 * fault: deadlock
 * what: a label whose name only contains end does not count
 */
byte x;

active proctype Server() {
wait_end:
	do
	:: x == 1 -> x = 0
	od
}

active proctype Client() {
	x = 1
}
