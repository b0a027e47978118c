/* expect: error
 * line: 13
 * what: an assignment in a trace assertion
 */
chan q = [1] of { byte };
byte x;

active proctype P() {
	q!1
}

trace {
	x = 1;
	q!1
}
