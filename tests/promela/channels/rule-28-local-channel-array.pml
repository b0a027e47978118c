/* expect: holds
 * states: 183
 * what: a local array of channels
 */
byte sum;

active [2] proctype P() {
	chan c[2] = [1] of { byte };
	byte i, v;
	for (i : 0 .. 1) {
		c[i]!i + 3
	}
	c[1]?v;
	sum = sum + v;
	c[0]?v;
	sum = sum + v
}
