/* expect: violated
 * fault: assertion 14
 * what: one option writes what nobody reads (g), another one is an atomic run that writes before and behind it; what is known of the
 * first must not be taken for something that the second does
 */
byte x, g, y;
active [2] proctype C() { byte c; do :: c < 60 -> c++ :: c == 60 -> c = 0 od }
active proctype P() {
S:
	if
	:: g = 2; goto S
	:: atomic { x = 1; y = 1 }
	fi;
	assert(g != 2)
}
