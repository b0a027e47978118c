/* expect: holds
 * states: 1206
 * what: two senders, one slot
 */
chan q = [1] of { byte };
byte last;

active [2] proctype S() {
	byte n;
	do
	:: n < 3 -> q!n; n++
	:: else -> break
	od
}

active proctype R() {
	byte m;
	do
	:: m < 6 -> q?last; m++
	:: else -> break
	od;
	assert(empty(q))
}
