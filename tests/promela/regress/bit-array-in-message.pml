/* expect: holds
 * states: 6
 * what: the elements of a bit array are cut to bits in a message
 */
typedef A { bit f[2]; byte z };
A a, b;
chan q = [1] of { A };

init {
	a.f[1] = 3;
	q!a; q?b;
	assert(b.f[1] == 1)
}
