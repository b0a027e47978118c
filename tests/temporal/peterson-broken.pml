/* what: Peterson's algorithm with the two assignments in the wrong order
 * mutex: violated             both set the turn, then one enters, then the other
 * mutex strong: violated
 * first: violated
 * first weak: holds           the mistake costs exclusion, not liveness
 */
bool flag[2];
bit turn;
byte inside;

active [2] proctype P() {
	do
	:: turn = 1 - _pid;
		flag[_pid] = true;
		(!flag[1 - _pid] || turn == _pid);
		inside++;
cs:		inside--;
		flag[_pid] = false
	od
}

ltl mutex { [] (inside <= 1) }
ltl first { [] <> P[0]@cs }
