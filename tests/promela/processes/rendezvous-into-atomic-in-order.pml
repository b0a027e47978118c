/* expect: holds
 * states: 164
 * what: one send meets receivers that go on at once and one that begins an atomic run, with other runs beside
 */
chan c = [0] of { byte };
byte x, y;

active proctype S() {
end:	do
	:: atomic { x < 2 -> x++; y = 0 }
	:: c!x
	:: c!3
	:: atomic { x == 2 -> y++; break }
	od
}

active proctype Run() {
	byte v;
end:	do
	:: atomic { c?v -> y = v; if :: v == 3 -> y = 1 :: v < 3 -> y = 2 :: y < 2 fi }
	:: atomic { c?3;
end2:		c?v; y = 5 }
	od
}

active proctype Plain() {
end:	do
	:: c?3 -> y = 4
	:: c?1
	od
}
