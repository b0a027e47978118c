/* expect: holds
 * states: 3386
 * what: who sends and receives on one channel at one place meets the others, and never itself
 */
chan c = [0] of { pid };
byte met[3];

active [3] proctype P() {
	pid other;
	byte turns;
	do
	:: turns < 2 -> turns++;
		if
		:: c!_pid -> skip
		:: c?other -> assert(other != _pid); met[other]++
		:: timeout -> break
		fi
	:: turns == 2 -> break
	od
}
