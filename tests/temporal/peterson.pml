/* what: Peterson's algorithm for two processes that always want to enter
 * mutex: holds
 * someone: holds              who waits, waits for one that is past its request and goes on
 * first: violated             the other one runs alone while this one never moves
 * first weak: holds           the other one hands over the turn, and nobody takes it back
 * first strong: holds
 * answered: violated
 * answered weak: holds
 * at_once weak: violated      it may have to wait
 */
bool flag[2];
bit turn;
byte inside;

active [2] proctype P() {
	do
	:: flag[_pid] = true;
		turn = 1 - _pid;
		(!flag[1 - _pid] || turn == _pid);
		inside++;
cs:		inside--;
		flag[_pid] = false
	od
}

ltl mutex { [] (inside <= 1) }
ltl someone { [] <> (inside == 1) }
ltl first { [] <> P[0]@cs }
ltl answered { [] (flag[0] -> <> P[0]@cs) }
ltl at_once { [] ((flag[0] && inside == 0) -> (inside == 0 U P[0]@cs)) }
