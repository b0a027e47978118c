/* what: the bakery algorithm with tickets that are taken in one step
 * mutex: holds
 * order: holds                who has the smaller ticket is inside first
 * first: violated
 * first weak: holds
 * bounded: holds
 */
byte ticket[2];
byte inside;

active [2] proctype P() {
	do
	:: atomic { ticket[1 - _pid] < 3 -> ticket[_pid] = ticket[1 - _pid] + 1 };
		(ticket[1 - _pid] == 0 || ticket[_pid] < ticket[1 - _pid]);
		inside++;
cs:		inside--;
		ticket[_pid] = 0
	od
}

ltl mutex { [] (inside <= 1) }
ltl order { [] ((ticket[0] > 0 && ticket[0] < ticket[1]) -> (!P[1]@cs U ticket[0] == 0) || [] !P[1]@cs) }
ltl first { [] <> P[0]@cs }
ltl bounded { [] (ticket[0] <= 3 && ticket[1] <= 3) }
