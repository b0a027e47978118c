/* expect: holds
 * states: 38
 * what: Peterson's mutual exclusion for two processes.
 */
bool wants[2];          /* who asks for the critical section */
byte turn;              /* who gives way when both ask */
byte inside;            /* how many are in there */

active [2] proctype user() {
	do
	:: wants[_pid] = true;
	   turn = 1 - _pid;
	   !wants[1 - _pid] || turn == _pid;
	   inside++;
	   assert(inside == 1);
	   inside--;
	   wants[_pid] = false
	od
}
