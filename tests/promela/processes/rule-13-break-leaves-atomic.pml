/* expect: holds
 * states: 55
 * what: a break out of an atomic that is in the middle of an option
 */
byte x;

active [2] proctype P() {
	byte n;
	do
	:: x++;
	   atomic {
		n++;
		if
		:: n == 2 -> break
		:: else
		fi;
		x--
	   }
	od;
	x = 7
}
