/* expect: holds
 * states: 94
 * what: else beside a receive on a buffered channel
 */
chan q = [2] of { byte };
byte got, missed;

active proctype S() {
	q!1;
	q!2
}

active proctype R() {
	byte n;
	do
	:: n < 3 ->
		if
		:: q?_ -> got++
		:: else -> missed++
		fi;
		n++
	:: else -> break
	od;
	assert(got + missed == 3 && got <= 2)
}
