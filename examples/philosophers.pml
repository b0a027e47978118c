/* expect: violated
 * fault: deadlock
 * what: Dining philosophers: everybody takes the left fork first, and then all wait.
 */
#define N	4

bool taken[N];          /* the forks */

active [N] proctype philosopher() {
	byte left = _pid;
	byte right = (_pid + 1) % N;
	do
	:: atomic { !taken[left] -> taken[left] = true };
	   atomic { !taken[right] -> taken[right] = true };
	   /* eat */
	   taken[right] = false;
	   taken[left] = false
	od
}
