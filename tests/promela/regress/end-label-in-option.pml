/* expect: violated
 * fault: deadlock
 * what: an end label on the head of an option does not make the choice an end
 */
byte x;

active proctype A() {
	if
	:: end1: x == 1 -> skip
	:: x == 2 -> skip
	fi
}
