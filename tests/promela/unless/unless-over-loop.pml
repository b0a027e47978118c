/* expect: holds
 * states: 44
 * what: an escape out of an endless loop
 */
byte x;
bool stop;

active proctype P() {
	do
	:: x < 3 -> x++
	:: x == 3 -> x = 0
	od unless { stop };
	assert(stop)
}

active proctype Q() {
	stop = true
}
