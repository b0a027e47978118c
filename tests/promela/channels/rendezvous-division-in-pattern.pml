/* expect: violated
 * fault: division
 * what: a division by zero where a receiver computes what it waits for
 */
chan c = [0] of { byte };
byte x = 2;

active proctype S() {
	do
	:: c!1 -> x--
	od
}

active proctype R() {
end:	do
	:: c?eval(2 / x)
	:: c?1
	od
}
