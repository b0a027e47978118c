/* Two receivers compete; a third process sends to whoever matches. */
mtype = { red, green };
chan c = [0] of { mtype, byte };

active [2] proctype taker() {
	byte x;
	if
	:: c?red(x) -> printf("%d takes red %d\n", _pid, x)
	:: c?green,x -> printf("%d takes green %d\n", _pid, x)
	fi
}

active proctype giver() {
	if
	:: c!red(1)
	:: c!green(2)
	fi;
	printf("one is gone\n");
	c!green,3;
	printf("both are gone\n")
}
