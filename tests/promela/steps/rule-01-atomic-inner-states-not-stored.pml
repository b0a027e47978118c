/* expect: holds
 * states: 35
 * what: states inside an atomic are not stored
 */
byte x;

active [2] proctype P() {
	byte i;
	atomic {
		x++;
		x++;
		x++
	}
	i = x;
	atomic { i++; i-- }
}
