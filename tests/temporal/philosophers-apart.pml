/* what: three philosophers, one of whom takes the right fork first
 * eats: holds                 somebody eats: nobody waits in a circle
 * first: violated
 * first weak: violated        a fork is free again and again, not always
 * first strong: holds
 * last strong: holds
 * deadlock: holds
 */
#define N 3
bool fork[N];
byte eating;

proctype philosopher(byte one; byte two) {
	do
	:: atomic { !fork[one] -> fork[one] = true };
		atomic { !fork[two] -> fork[two] = true; eating++ };
meal:		atomic { eating--; fork[one] = false };
		fork[two] = false
	od
}

init {
	atomic { run philosopher(0, 1); run philosopher(1, 2); run philosopher(0, 2) }
}

ltl eats { [] <> (eating > 0) }
ltl first { [] <> philosopher[1]@meal }
ltl last { [] <> philosopher[3]@meal }
ltl deadlock { [] !(fork[0] && fork[1] && fork[2] && eating == 0 && []( eating == 0 )) }
