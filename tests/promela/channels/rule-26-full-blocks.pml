/* expect: violated
 * fault: deadlock
 * what: a send on a full channel blocks
 */
chan q = [2] of { byte };

active proctype P() {
	q!1;
	q!2;
	q!3
}
