/* expect: violated
 * fault: assertion 9
 * what: a fault inside an inline has the line of the inline
 */
byte x;

inline check(v) {
	x = v;
	assert(x != 3)
}

active proctype P() {
	check(1);
	check(2);
	check(3)
}
