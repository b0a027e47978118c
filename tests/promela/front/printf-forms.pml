/* expect: holds
 * states: 7
 * what: printf and printm in all forms
 */
mtype = { hello, world };
byte x = 200;
int y = -1;

active proctype P() {
	printf("plain\n");
	printf("%d %u %x %c %o %e\n", x, x, y, 65, 8, hello);
	printf("%% \t \\ \"quoted\"\n");
	printm(world);
	printf("MSC: note\n")
}
