/* expect: holds
 * states: 31
 * what: a local structure and an array of structures
 */
typedef Cell { byte v; bit used };
byte total;

active [2] proctype P() {
	Cell c[2];
	c[0].v = 5;
	c[1].v = c[0].v + 1;
	c[1].used = 1;
	total = total + c[1].v
}
