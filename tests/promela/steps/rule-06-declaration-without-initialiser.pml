/* expect: violated
 * fault: assertion 17
 * what: a variable declared in a loop without initialiser is 0 again at each entry
 */
byte g;

active proctype P() {
	byte n;
	do
	:: n < 3 ->
		byte kept;
		kept = kept + 1;
		g = kept;
		n++
	:: else -> break
	od;
	assert(g == 3)
}
