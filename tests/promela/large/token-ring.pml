/* expect: holds
 * states: 283
 * what: tokens in a ring of buffered channels
 */
#define N	4

chan c[N] = [2] of { byte };

active [N] proctype node() {
	byte t;
	if
	:: _pid < 2 -> c[_pid]!_pid + 1
	:: else
	fi;
end:	do
	:: c[_pid]?t -> c[(_pid + 1) % N]!t
	od
}
