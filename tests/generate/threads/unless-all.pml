/* An escape is looked at before every statement, also inside of an atomic. */
byte x, stop;
chan c = [0] of { byte };

active proctype worker() {
	byte y;
	{
		do
		:: x < 5 -> atomic { x++; printf("x is %d\n", x) }
		:: else -> printf("five\n"); break
		od
	} unless {
		if
		:: stop == 1 -> printf("stopped at %d\n", x)
		:: c?y -> printf("told %d at %d\n", y, x)
		fi
	};
	printf("end\n")
}

active proctype stopper() {
	if
	:: stop = 1
	:: c!9 -> skip
	:: timeout
	:: x == 5 -> skip
	fi
}
