/* expect: violated
 * fault: index 12
 * what: an index in the variables of a receive
 */
chan q = [1] of { byte };
byte a[2];
byte i = 1;

active proctype P() {
	q!3;
	i++;
	q?a[i]
}
