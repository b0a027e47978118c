/* expect: holds
 * states: 6784
 * what: Dining philosophers: one of them takes the right fork first, which breaks the circle.
 */
#define N	5

bool taken[N];          /* the forks */
bool eating[N];

active [N] proctype philosopher() {
	byte first = _pid;
	byte second = (_pid + 1) % N;
	if
	:: _pid == N - 1 -> first = 0; second = N - 1
	:: else
	fi;
	do
	:: atomic { !taken[first] -> taken[first] = true };
	   atomic { !taken[second] -> taken[second] = true };
	   eating[_pid] = true;
	   assert(!eating[(_pid + 1) % N] && !eating[(_pid + N - 1) % N]);
	   eating[_pid] = false;
	   taken[second] = false;
	   taken[first] = false
	od
}
