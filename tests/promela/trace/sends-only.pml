/* expect: holds
 * states: 4
 * what: what is not named is not watched: receives on a channel whose sends are
 */
mtype = { a, b };
chan q = [1] of { mtype };

active proctype P() {
	do
	:: q!a; q?_; q!b; q?_
	od
}

trace {
	do
	:: q!a; q!b
	od
}
