/* expect: holds
 * states: 25
 * what: else beside a send on a buffered channel
 */
chan q = [1] of { byte };
byte full_seen;

active [2] proctype S() {
	if
	:: q!_pid
	:: else -> full_seen++
	fi;
	assert(full_seen <= 1)
}
