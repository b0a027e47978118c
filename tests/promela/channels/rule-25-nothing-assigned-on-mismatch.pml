/* expect: holds
 * states: 7
 * what: no field is assigned when one of them does not match
 */
chan q = [2] of { byte, byte };

active proctype P() {
	byte a = 7;
	q!1,2;
	if
	:: q?a,3 -> assert(false)
	:: else -> assert(a == 7)
	fi;
	q?a,2;
	assert(a == 1)
}
