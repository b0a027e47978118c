chan q[3] = [1] of { byte };
byte i;

active proctype fill() {
	for (i in q) { q[i]!i + 5 }
}

active proctype drain() {
	byte x, n;
	do
	:: q[0]?x -> printf("0: %d\n", x); n++
	:: q[1]?x -> printf("1: %d\n", x); n++
	:: q[2]?x -> printf("2: %d\n", x); n++
	:: n == 3 -> break
	od
}
