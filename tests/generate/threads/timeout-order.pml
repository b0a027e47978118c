/* timeout: only when nothing else can move, and then for one step. */
byte x;

active proctype waits() {
	do
	:: x < 3 -> timeout; x++; printf("timeout %d\n", x)
	:: x == 3 -> break
	od
}

active proctype works() {
	byte i;
	for (i : 1 .. 3) { printf("work %d\n", i) }
	x == 2;
	printf("woken\n")
}
