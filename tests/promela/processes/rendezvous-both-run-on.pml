/* expect: holds
 * states: 331
 * what: control goes from run to run through rendezvous, and comes back to the first sender
 */
chan ab = [0] of { byte };
chan bc = [0] of { byte };
chan ca = [0] of { byte };
byte x;

active proctype A() {
	byte v;
	do
	:: atomic { v < 4 -> x = 1; ab!v; x = 4; ca?v; x = 0; v++ }
	:: v >= 4 -> break
	od
}

active proctype B() {
	byte v;
end:	do
	:: atomic { ab?v -> x = 2; bc!v; x++ }
	od
}

active [2] proctype C() {
	byte v;
end:	do
	:: atomic { bc?v -> x = 3; if :: ca!v :: v < 2 -> ca!v + 1 fi; x = 9 }
	od
}
