/* expect: holds
 * states: 23
 * what: locals initialised from parameters and globals
 */
byte g = 5;

proctype W(byte n) {
	byte m = n + g;
	byte k = m * 2;
	g = k
}

init {
	run W(1);
	run W(2)
}
