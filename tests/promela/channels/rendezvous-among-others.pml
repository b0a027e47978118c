/* expect: holds
 * states: 557
 * what: a receive between other options: a guard, a send, a buffered receive, a print, a second receive that takes the same
 */
chan c = [0] of { byte };
chan q = [1] of { byte };
byte x;

active proctype S() {
	byte n;
	do
	:: n < 3 ->
end1:		c!n; n++
	:: n == 1 ->
end2:		q!n; n++
	:: else -> break
	od
}

active proctype R() {
	byte v, times;
end1:	do
	:: x > 2 -> break
	:: q?v -> x = v
	:: c?v -> x = v + 1; times++
	:: c?1 -> x++
	:: q!5 -> skip
	:: times == 2 -> x = 3
	:: timeout -> break
	od;
end:	do
	:: c?_
	od
}
