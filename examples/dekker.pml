/* expect: holds
 * states: 146
 * what: Dekker's algorithm, the first correct mutual exclusion for two processes.
 */
bool wants[2];
byte turn;              /* who may insist when both want to enter */
byte inside;

active [2] proctype user() {
	byte other = 1 - _pid;
again:
	wants[_pid] = true;
	do
	:: wants[other] ->
		if
		:: turn == other ->
			/* Give way, and wait until it is our turn. */
			wants[_pid] = false;
			turn == _pid;
			wants[_pid] = true
		:: turn == _pid
		fi
	:: !wants[other] -> break
	od;

	inside++;
	assert(inside == 1);
	inside--;

	turn = other;
	wants[_pid] = false;
	goto again
}
