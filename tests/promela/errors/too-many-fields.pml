/* expect: error
 * line: 8
 * what: more fields than the channel has
 */
chan q = [1] of { byte };

active proctype P() {
	q!1,2 /* refused here */
}
