/* expect: holds
 * states: 27
 * what: eval of a global that changes
 */
chan q = [2] of { byte };
byte want;

active proctype S() {
	q!1;
	q!2
}

active proctype C() {
	want = 1;
	want = 2
}

active proctype R() {
	do
	:: q?eval(want) -> skip
	:: timeout -> break
	od
}
