/* what: Szymanski's algorithm: a waiting room with a door
 * mutex: holds
 * first: violated
 * first weak: holds           nobody passes twice while another one waits in the room
 * second weak: holds
 * lingers: holds              while a flag is up the other one cannot go on for ever
 * lingers weak: holds
 */
byte flag[2];
byte inside;

active [2] proctype P() {
	do
	:: flag[_pid] = 1;
		flag[1 - _pid] < 3;
		flag[_pid] = 3;
		if
		:: flag[1 - _pid] == 1 ->
			flag[_pid] = 2;
			flag[1 - _pid] == 4
		:: else
		fi;
		flag[_pid] = 4;
		(_pid == 0 || flag[0] < 2);
		inside++;
cs:		inside--;
		(_pid == 1 || flag[1] < 2 || flag[1] > 3);
		flag[_pid] = 0
	od
}

ltl mutex { [] (inside <= 1) }
ltl first { [] <> P[0]@cs }
ltl second { [] <> P[1]@cs }
ltl lingers { [] (flag[0] > 0 -> <> (flag[0] == 0)) }
