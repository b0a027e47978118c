/* expect: holds
 * states: 13
 * what: buffered channels inside a d_step
 */
chan q = [2] of { byte, byte };
byte sum;

active [2] proctype P() {
	byte a, b;
	d_step {
		q!1,_pid;
		q?a,b;
		sum = sum + a
	};
	assert(a == 1 && b == _pid)
}
