/* expect: holds
 * states: 84
 * what: sends and receives as options of both partners
 */
chan a = [0] of { byte };
chan b = [0] of { byte };
byte n;

active [2] proctype P() {
	byte v;
	do
	:: n < 4 -> n++;
		if
		:: a!1
		:: a?v
		:: b!2
		:: b?v
		:: timeout
		fi
	:: n >= 4 -> break
	od
}
