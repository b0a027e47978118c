/* expect: holds
 * states: 14
 * what: parameters of every type, cut to their width
 */
mtype = { red, green };
chan q = [1] of { byte };
byte done;

proctype Child(bit a; bool b; byte c; short d; int e; unsigned f : 3; mtype g; chan h; pid i) {
	assert(a == 1 && b == 1 && c == 44 && d == -2 && e == 100000 && f == 5 && g == green);
	assert(i == 0);
	h!c;
	done = 1
}

init {
	byte got;
	run Child(3, true, 300, 65534, 100000, 13, green, q, _pid);
	q?got;
	assert(got == 44)
}
