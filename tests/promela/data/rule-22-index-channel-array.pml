/* expect: violated
 * fault: index 10
 * what: an index into an array of channels
 */
chan q[2] = [1] of { byte };
byte i;

active proctype P() {
	do
	:: q[i]!i; i++
	od
}
