/* expect: holds
 * states: 8
 * what: the last name is the smallest, a second declaration goes on above
 */
mtype = { a, b, c };
mtype = { d, e };

active proctype P() {
	assert(c == 1 && b == 2 && a == 3);
	assert(e == 4 && d == 5);
	mtype m;
	assert(m == 0);
	m = a;
	assert(m == 3)
}
