/* expect: holds
 * states: 6
 * what: a channel variable that receives a channel through itself
 */
chan start = [2] of { chan };
chan other = [1] of { chan };

active proctype P() {
	chan c;
	c = start;
	start!other;
	c?c;
	assert(c == other)
}
