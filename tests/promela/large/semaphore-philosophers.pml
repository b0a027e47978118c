/* expect: holds
 * states: 21194
 * what: a waiter keeps one seat free
 */
#define N	6

byte seats = N - 1;
bool fork[N];

active [N] proctype philosopher() {
	do
	:: atomic { seats > 0 -> seats-- };
	   atomic { !fork[_pid] -> fork[_pid] = true };
	   atomic { !fork[(_pid + 1) % N] -> fork[(_pid + 1) % N] = true };
	   fork[(_pid + 1) % N] = false;
	   fork[_pid] = false;
	   seats++
	od
}
