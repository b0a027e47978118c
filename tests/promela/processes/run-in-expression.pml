/* expect: holds
 * states: 128
 * what: run as a statement in options
 */
byte n;

proctype W() { n++ }

init {
	byte i;
	do
	:: i < 3 -> i++; run W()
	:: i < 3 -> i++
	:: i >= 3 -> break
	od;
	_nr_pr == 1;
	assert(n <= 3)
}
