/* expect: holds
 * states: 12
 * what: exclusive readers and writers change no behaviour
 */
chan q = [2] of { byte };

active proctype S() {
	xs q;
	q!1;
	q!2;
	q!3
}

active proctype R() {
	byte v;
	xr q;
	do
	:: q?v
	:: v == 3 -> break
	od
}
