/* expect: holds
 * states: 12
 * what: polls test and change nothing
 */
chan q = [2] of { byte, byte };
byte a = 8;

active proctype P() {
	assert(!(q?[1,2]));
	q!1,2;
	q!3,4;
	assert(q?[1,2] && !(q?[3,4]));
	assert(q??[3,4] && !(q??[5,6]));
	assert(q?[a,2] && a == 8);
	assert(q?[eval(a - 7),2]);
	if
	:: q?[1,_] -> a = 1
	:: else -> a = 2
	fi;
	assert(len(q) == 2 && a == 1)
}
