/* expect: holds
 * states: 31
 * what: for over a channel rotates it
 */
typedef Msg { byte key; byte value };
chan q = [4] of { Msg };
byte sum;

active proctype P() {
	Msg m;
	m.key = 1; m.value = 10; q!m;
	m.key = 2; m.value = 20; q!m;
	m.key = 3; m.value = 30; q!m;
	for (m in q) {
		sum = sum + m.value
	}
	assert(sum == 60 && len(q) == 3);
	q?m;
	assert(m.key == 1)
}
