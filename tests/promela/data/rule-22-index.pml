/* expect: violated
 * fault: index 11
 * what: an index that is too large
 */
byte a[3];
byte i = 2;

active proctype P() {
	a[i] = 1;
	i++;
	a[i] = 1
}
