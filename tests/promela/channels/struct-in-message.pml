/* expect: holds
 * states: 9
 * what: a structure as a message field
 */
typedef Packet { byte seq; short body; bit flag };
chan q = [2] of { byte, Packet };

active proctype P() {
	Packet a, b;
	byte n;
	a.seq = 3;
	a.body = -7;
	a.flag = 1;
	q!5,a;
	a.seq = 9;
	q?n,b;
	assert(n == 5 && b.seq == 3 && b.body == -7 && b.flag == 1)
}
