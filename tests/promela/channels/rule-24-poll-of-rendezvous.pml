/* expect: violated
 * fault: channel 9
 * what: a rendezvous channel cannot be polled
 */
chan c = [0] of { byte };

active proctype P() {
	if
	:: c?[1] -> skip
	:: true
	fi
}
