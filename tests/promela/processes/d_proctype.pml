/* expect: holds
 * states: 31
 * what: a D_proctype is a proctype that promises to be deterministic
 */
byte x;

active [2] D_proctype P() {
	do
	:: x < 3 -> x++
	:: x >= 3 -> break
	od
}
