/* expect: violated
 * fault: index 11
 * what: an index below 0
 */
byte a[3];
int i;

active proctype P() {
	i--;
	skip;
	i = a[i]
}
