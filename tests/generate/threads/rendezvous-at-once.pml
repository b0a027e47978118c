/* Behind its handshake the first one stands at a receive at once: the second one never finds nobody there. */
chan a = [0] of { byte };
chan b = [0] of { byte };

active proctype first() {
	byte x;
	a!1;
	b?x;
	printf("first got %d\n", x)
}

active proctype second() {
	byte x;
	a?x;
	if
	:: b!x + 1 -> printf("second sent\n")
	:: else -> printf("never\n"); assert(false)
	fi
}
