/* expect: holds
 * states: 14
 * what: len, full, empty, nfull, nempty
 */
chan q = [2] of { byte };

active proctype P() {
	assert(empty(q) && len(q) == 0);
	nfull(q);
	q!1;
	assert(len(q) == 1);
	nfull(q) && nempty(q);
	q!2;
	assert(full(q) && len(q) == 2);
	if
	:: nfull(q) -> assert(false)
	:: full(q) -> skip
	fi;
	q?_;
	q?_;
	empty(q)
}
