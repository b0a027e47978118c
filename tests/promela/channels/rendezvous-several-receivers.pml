/* expect: holds
 * states: 265
 * what: one send, and receivers that take it for a constant, for a value that they compute, for anything
 */
mtype = { red, green };
chan c = [0] of { mtype, byte };
byte got[3];

active proctype S() {
	byte n;
	do
	:: n < 2 -> n++; c!red,n
	:: n < 2 -> n++; c!green(n)
	:: n == 2 -> break
	od
}

active proctype Constant() {
	byte v;
end:	do
	:: c?red,v -> got[0] = v
	:: c?green,2 -> got[0] = 9
	od
}

active proctype Computed() {
	byte wanted = 1;
end:	do
	:: c?_,eval(wanted) -> wanted++; got[1]++
	:: c?eval((got[1] == 1 -> red : green)),_ -> got[1] = 7
	od
}

active proctype Any() {
	mtype what;
end:	c?what,got[2];
	assert(what == red || what == green)
}
