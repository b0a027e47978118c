/* expect: holds
 * states: 33
 * what: what a channel held before does not tell states apart
 */
chan q = [3] of { byte };

active proctype P() {
	byte n;
	do
	:: n < 6 ->
		if
		:: q!n
		:: q!9
		fi;
		q?_;
		n++
	:: else -> break
	od
}
