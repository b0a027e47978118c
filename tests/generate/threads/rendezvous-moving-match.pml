/* What a receiver would take depends on a variable that another one changes. */
chan c = [0] of { byte };
byte wanted = 1;

active proctype receiver() {
	c?eval(wanted);
	printf("got %d\n", wanted)
}

active proctype sender() {
	if
	:: c!1 -> printf("one\n")
	:: c!2 -> printf("two\n")
	fi
}

active proctype changer() {
	wanted = 2;
	printf("two from now on\n")
}
