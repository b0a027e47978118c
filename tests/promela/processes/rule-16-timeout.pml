/* expect: holds
 * states: 804
 * what: timeout is true when nothing else can move
 */
byte x;
bool up;

active proctype P() {
	byte n;
	do
	:: n < 3 ->
		up;
		up = false;
		n++
	:: n == 3 -> break
	od
}

active proctype Clock() {
end:
	do
	:: timeout -> up = true; x++
	od
}
