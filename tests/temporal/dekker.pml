/* what: Dekker's algorithm for two processes
 * mutex: holds
 * second: violated            the first one runs alone
 * second weak: holds          the one whose turn it is keeps its wish, the other one takes its wish back
 * second strong: holds
 * yields weak: holds          who enters gives the turn away
 */
bool want[2];
bit turn;
byte inside;

active [2] proctype P() {
	do
	:: want[_pid] = true;
		do
		:: want[1 - _pid] ->
			if
			:: turn != _pid ->
				want[_pid] = false;
				turn == _pid;
				want[_pid] = true
			:: else
			fi
		:: else -> break
		od;
		inside++;
cs:		inside--;
		turn = 1 - _pid;
		want[_pid] = false
	od
}

ltl mutex { [] (inside <= 1) }
ltl second { [] <> P[1]@cs }
ltl yields { [] (P[0]@cs -> <> (turn == 1)) }
