/* expect: holds
 * states: 133
 * what: a goto is a step only as the first statement of an option
 */
byte x;

active proctype P() {
	do
	:: x < 3 -> x++
	:: goto out
	od;
out:
	x = 9
}

active proctype Q() {
	byte y;
again:
	y++;
	if
	:: y < 4 -> goto again
	:: else -> goto fin
	fi;
fin:
	y = 0
}
