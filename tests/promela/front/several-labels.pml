/* expect: holds
 * states: 8
 * what: two labels on one statement
 */
byte x;

active proctype P() {
	do
	:: x < 2 -> goto a
	:: x == 2 -> goto b
	:: x > 2 -> break
a: b:	x++
	od;
end1: end2: x == 9
}
