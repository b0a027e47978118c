/* expect: holds
 * states: 79
 * what: a process without a statement still has its closing step
 */
active [4] proctype P() { skip }

active proctype Q() {
	skip;
	skip
}
