/* expect: holds
 * states: 5
 * what: waiting at a label that starts with end is no deadlock
 */
byte x;

active proctype Server() {
end_wait:
	do
	:: x == 1 -> x = 0
	od
}

active proctype Client() {
	x == 0;
	x = 1;
endhere:
	x == 7
}
