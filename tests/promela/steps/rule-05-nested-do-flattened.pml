/* expect: holds
 * states: 287
 * what: a do that begins an option, with breaks of both
 */
byte x;

active [2] proctype P() {
	byte n;
	do
	:: do
	   :: n < 3 -> n++; x++
	   :: n == 3 -> break
	   :: x > 4 -> goto out
	   od;
	   n = 4
	:: n == 4 -> break
	od;
out:
	skip
}
