/* expect: holds
 * states: 5
 * what: which element is written when an earlier field changes the index
 */
byte a[3];
byte i;
chan q = [1] of { byte, byte };

active proctype P() {
	q!2,9;
	q?i,a[i];
	assert(i == 2 && a[2] + a[0] == 9)
}
