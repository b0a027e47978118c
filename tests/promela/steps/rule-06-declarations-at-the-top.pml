/* expect: holds
 * states: 7
 * what: initialisers at the top of a proctype are no steps
 */
byte g = 3;

active [2] proctype P() {
	byte a = g;
	byte b = a + 1;
	byte c = b * 2;
	g = a + b + c
}
