/* expect: violated
 * fault: deadlock
 * what: eval of a variable that an earlier field assigns sees the old value
 */
chan q = [1] of { byte, byte };
byte a = 5;

active proctype P() {
	q!1,1;
	q?a,eval(a)
}
