/* expect: violated
 * fault: channel 13
 * what: a channel variable that never got a channel
 */
chan a = [1] of { byte };
chan c;

active proctype P() {
	if
	:: false -> c = a
	:: true
	fi;
	c!1
}
