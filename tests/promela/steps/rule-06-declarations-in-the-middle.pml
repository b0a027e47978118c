/* expect: holds
 * states: 421
 * what: an initialiser in the middle is a step, done at each entry
 */
byte g;

active [2] proctype P() {
	byte n;
	do
	:: n < 3 ->
		byte fresh = 0;
		fresh = fresh + 1;
		assert(fresh == 1);
		g = g + fresh;
		n++
	:: else -> break
	od
}
