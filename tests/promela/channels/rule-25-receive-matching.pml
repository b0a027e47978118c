/* expect: holds
 * states: 6
 * what: constants, mtype names and eval must match, variables are assigned
 */
mtype = { data, ctl };
chan q = [3] of { mtype, byte, byte };

active proctype P() {
	byte a = 9, b = 2;
	q!data,1,2;
	if
	:: q?ctl,a,b -> assert(false)
	:: q?data,2,b -> assert(false)
	:: q?data,a,eval(b + 1) -> assert(false)
	:: q?data,a,eval(b) -> skip
	fi;
	assert(a == 1 && b == 2)
}
