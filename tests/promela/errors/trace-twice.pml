/* expect: error
 * line: 15
 * what: two trace assertions
 */
chan q = [1] of { byte };

active proctype P() {
	q!1
}

trace {
	q!1
}

notrace {
	q!2
}
