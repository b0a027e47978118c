/* expect: holds
 * states: 146400
 * what: the same as in run-beside-blind-write, where what comes of it is the number of states
 */
byte x, g, y, h[3];
active [2] proctype C() { byte c; do :: c < 9 -> c++ :: c == 9 -> c = 0 od }
active proctype P() {
	byte i;
	do
	:: g = 1
	:: g = 2
	:: d_step { x = 1 - x; y = 1 - y }
	:: h[i] = 3; i = (i + 1) % 3
	:: atomic { h[i] = 4; y = 0; i = 0 }
	od
}
