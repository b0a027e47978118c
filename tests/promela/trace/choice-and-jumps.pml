/* expect: holds
 * states: 5
 * what: choices, labels, jumps and a break in an assertion
 */
mtype = { open, data, close };
chan q = [1] of { mtype };

active proctype P() {
	do
	:: q!open; q?_;
		do
		:: q!data; q?_
		:: q!close; q?_; break
		od
	od
}

trace {
again:	q!open;
	do
	:: q!data
	:: q!close -> break
	od;
	goto again
}
