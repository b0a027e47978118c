/* expect: error
 * line: 8
 * what: a negated full
 */
chan q = [1] of { byte };

active proctype P() {
	!full(q) /* refused here */
}
