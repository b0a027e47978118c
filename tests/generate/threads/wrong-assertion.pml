/* Wrong on purpose: an update is lost. */
byte x, done;

active [2] proctype p() {
	byte t;
	t = x; x = t + 1;
	printf("%d wrote %d\n", _pid, x);
	done++;
	done == 2;
	assert(x == 2)
}
