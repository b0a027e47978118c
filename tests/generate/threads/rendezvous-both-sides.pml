/* Selections with handshakes on both sides: who meets whom is open. */
chan a = [0] of { byte };
chan b = [0] of { byte, bool };

active proctype left() {
	byte n, x; bool f;
	do
	:: n < 3 ->
		if
		:: a!n -> printf("left sends %d\n", n)
		:: b?x,f -> printf("left gets %d %d\n", x, f)
		fi;
		n++
	:: else -> break
	od
}

active proctype right() {
	byte n, x;
	do
	:: n < 3 ->
		if
		:: a?x -> printf("right gets %d\n", x)
		:: b!n + 10,n % 2 == 1 -> printf("right sends %d\n", n)
		fi;
		n++
	:: else -> break
	od
}
