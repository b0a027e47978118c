/* expect: holds
 * states: 18
 * what: safety needs no fairness
 */
bool stop;
byte x;

active proctype Spinner() {
	do
	:: !stop -> x = 1 - x
	:: stop -> break
	od
}

active proctype Stopper() {
	stop = true
}
