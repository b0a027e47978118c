/* expect: violated
 * fault: index 24
 * what: an index out of range where the other end of a rendezvous stores the message
 */
chan c = [0] of { byte, byte };
byte a[3];

active proctype S() {
	byte i;
	do
	:: c!i,1; i++
	od
}

active proctype Plain() {
end:	do
	:: c?1,_
	od
}

active proctype R() {
	byte i;
end:	do
	:: c?i,a[i]
	od
}
