/* expect: holds
 * states: 7
 * what: an if with nothing but else
 */
byte x;

active proctype P() {
	if
	:: else -> x = 1
	fi;
	do
	:: else -> x++; break
	od;
	assert(x == 2)
}
