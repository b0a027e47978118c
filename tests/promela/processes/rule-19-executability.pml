/* expect: violated
 * fault: deadlock
 * what: an expression blocks while it is 0
 */
byte x;

active proctype P() {
	x = 0;
	x - 1;
	-1;
	printf("here\n");
	assert(1);
	x
}
