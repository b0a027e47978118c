/* expect: violated
 * fault: trace 9
 * spin: differs
 * what: Spin takes a constant with an operator in it for any value
 */
chan q = [1] of { byte };

active proctype P() {
	q!4
}

trace {
	q!2+1
}
