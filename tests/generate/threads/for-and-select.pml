byte a[3] = { 2, 4 };

active proctype p() {
	byte i; int sum, x;
	for (i : 0 .. 2) { sum = sum + a[i] };
	for (i in a) { a[i] = i };
	select (x : 5 .. 7);
	printf("sum %d, i %d, x in range %d\n", sum, i, x >= 5 && x <= 7);
	x = 1;
	for (i : 3 .. x) { assert(false) };
	printf("i %d\n", i);
	select (x : sum .. sum + 40);
	assert(x >= sum && x <= sum + 40)
}

active proctype q() {
	byte v;
	select (v : 1 .. 3);
	if
	:: v == 1 -> printf("one\n")
	:: v == 2 -> printf("two\n")
	:: else -> printf("three\n")
	fi
}
