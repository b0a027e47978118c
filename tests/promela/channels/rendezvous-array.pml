/* expect: holds
 * states: 6
 * what: rendezvous on an array of channels
 */
chan c[2] = [0] of { byte };

active [2] proctype P() {
	byte v;
	if
	:: c[_pid]!_pid + 1; c[1 - _pid]?v
	:: c[1 - _pid]?v; c[_pid]!_pid + 1
	:: timeout
	fi
}
