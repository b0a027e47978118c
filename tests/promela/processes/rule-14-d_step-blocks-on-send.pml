/* expect: violated
 * fault: d_step 10
 * what: a send that cannot be done inside a d_step
 */
chan q = [1] of { byte };

active proctype P() {
	d_step {
		q!1;
		q!2 /* fails here */
	}
}
