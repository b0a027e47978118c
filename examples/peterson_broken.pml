/* expect: violated
 * fault: assertion 15
 * what: Peterson's mutual exclusion with the two entry lines swapped: both processes can get in.
 */
bool wants[2];          /* who asks for the critical section */
byte turn;              /* who gives way when both ask */
byte inside;            /* how many are in there */

active [2] proctype user() {
	do
	:: turn = 1 - _pid;             /* the mistake: this must come second */
	   wants[_pid] = true;
	   !wants[1 - _pid] || turn == _pid;
	   inside++;
	   assert(inside == 1);
	   inside--;
	   wants[_pid] = false
	od
}
