/* Only those of the highest priority that can move do. */
byte x, born;

active proctype low() {
	printf("low runs: %d\n", x);
	x = 1;
	x == 3;
	printf("low is at the end, priority %d\n", _priority)
}

active proctype high() priority 5 {
	printf("high first\n");
	x == 1;
	printf("high again, before anything else\n");
	born = run child(7) priority 9;
	x = 2;
	printf("high after its child, which has %d now\n", get_priority(born));
	set_priority(born, 9);
	x = 3;
	printf("high last\n")
}

proctype child(byte n) {
	printf("child: %d\n", n);
	_priority = 2;
	if
	:: x == 3 -> printf("child before low\n")
	fi
}

active proctype other() priority 5 {
	printf("other\n")
}
