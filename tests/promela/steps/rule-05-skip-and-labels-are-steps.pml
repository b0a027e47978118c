/* expect: holds
 * states: 57
 * what: skip, printf, assert and a label on an empty statement are steps
 */
byte x;

active [2] proctype P() {
	skip;
	printf("x = %d\n", x);
	assert(true);
L:	;
M:	skip;
	x++
}
