/* expect: holds
 * states: 150
 * what: a choice inside an atomic run of two sends and another statement, for nobody, one or two receivers
 */
chan c = [0] of { byte };
chan d = [0] of { byte, byte };
byte x;

active proctype S() {
	byte n;
	do
	:: atomic {
		n < 3 -> n++; x = n;
end1:		if
		:: c!n -> x = 0
		:: d!n,_pid -> x = 0; n = 3
		:: n == 2 -> x = 7
		fi
	   }
	:: n == 3 -> break
	od
}

active [2] proctype R() {
	byte v;
end:	do
	:: c?v -> assert(v > 0)
	:: d?1,v
	:: atomic { c?2 ->
end2:		d?v,_; x = v }
	od
}
