/* expect: violated
 * fault: trace 11
 * what: one element of an array of channels
 */
chan w[2] = [2] of { byte };

active proctype P() {
	w[1]!1;
	w[0]!2;
	w[1]!1;
	w[0]!3
}

trace {
	do
	:: w[0]!2
	od
}
