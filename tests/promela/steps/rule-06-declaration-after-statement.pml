/* expect: holds
 * states: 455
 * what: declarations after the first statement are assignments
 */
byte g = 1;

active [2] proctype P() {
	g++;
	byte mine = g;
	g++;
	byte other = mine + g;
	g = other
}
