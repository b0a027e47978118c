/* expect: holds
 * states: 10
 * what: messages left in a channel are fine at the end
 */
chan q = [3] of { byte };

active [2] proctype P() {
	q!_pid
}
