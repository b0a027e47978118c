/* expect: violated
 * fault: deadlock
 * what: Dekker without giving way: both raise their flag, and then wait for each other for ever.
 */
bool wants[2];
byte inside;

active [2] proctype user() {
	byte other = 1 - _pid;
again:
	wants[_pid] = true;
	!wants[other];          /* nobody takes his flag back */

	inside++;
	assert(inside == 1);
	inside--;

	wants[_pid] = false;
	goto again
}
