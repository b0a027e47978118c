/* expect: holds
 * states: 20
 * what: a goto that leads to a goto
 */
byte x;

active [2] proctype P() {
	if
	:: goto a
	:: x++; goto a
	fi;
a:	goto b;
b:	goto c;
	x = 7;
c:	x = 5
}
