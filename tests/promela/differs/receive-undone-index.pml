/* expect: holds
 * states: 155
 * spin: differs
 * what: a receive stores one field after the other: the first is the index for the second, and pan undoes it with the old index
 */
chan c = [0] of { byte, byte };
byte a[3];

active proctype S() {
	byte i;
	do
	:: i < 3 -> c!i,i + 5; i++
	:: i == 3 -> break
	od
}

active [2] proctype R() {
	byte i = 2;
end:	do
	:: c?i,a[i] -> assert(a[i] == i + 5); i = 2
	od
}
