/* what: three philosophers who all take the left fork first
 * eats: violated              they wait for each other
 * eats strong: violated       where nobody can move, everybody is treated fairly
 * forks: holds
 * waits: holds                a fork is not lost, unless all of them wait
 */
#define N 3
bool fork[N];
byte eating;

active [N] proctype philosopher() {
	do
	:: atomic { !fork[_pid] -> fork[_pid] = true };
		atomic { !fork[(_pid + 1) % N] -> fork[(_pid + 1) % N] = true; eating++ };
		atomic { eating--; fork[_pid] = false };
		fork[(_pid + 1) % N] = false
	od
}

ltl eats { [] <> (eating > 0) }
ltl forks { [] (eating <= 1) }
ltl waits { [] (eating > 0 -> (fork[0] || fork[1] || fork[2])) }
