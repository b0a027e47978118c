active proctype p() {
	byte n;
again:	n++;
	if
	:: n < 3 -> goto again
	:: n == 3 -> goto middle
	:: else -> goto out
	fi;
	printf("never\n");
	do
	:: n > 100 -> skip
	:: false ->
middle:		printf("middle %d\n", n); n++;
		goto again
	od;
out:	printf("out %d\n", n)
}

active proctype q() {
	byte n;
	atomic { n = 1; goto inside };
	atomic {
		n = 5;
inside:		printf("inside %d\n", n);
		printf("still\n");
		if
		:: n < 3 -> n = 7; goto leave
		:: else
		fi
	};
leave:	printf("leave %d\n", n)
}

/* Into the middle of an atomic, to a block there. */
active proctype r() {
	byte n;
	goto inside;
	atomic {
		n = 9;
inside:		{ n++; printf("r1\n") };
		printf("r2\n")
	};
	printf("r3\n"); printf("r4\n")
}
