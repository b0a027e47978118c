/* expect: violated
 * fault: deadlock
 * what: the label must be where the process waits
 */
byte x;

active proctype Server() {
end:	skip;
	do
	:: x == 1 -> x = 0
	od
}

active proctype Client() {
	x = 1
}
