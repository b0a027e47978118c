/* expect: violated
 * fault: deadlock
 * what: ?? blocks when nothing matches
 */
chan q = [4] of { byte };

active proctype P() {
	q!1;
	q!2;
	q??3
}
