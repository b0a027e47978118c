/* expect: holds
 * states: 19
 * what: an escape that begins with a rendezvous receive
 */
chan c = [0] of { byte };
byte x;

active proctype P() {
	{
		x = 1;
		x = 2;
		x = 3
	} unless {
		c?_ -> x = 9
	};
	x++
}

active proctype Q() {
	if
	:: c!1
	:: x == 4
	:: x == 10
	fi
}
