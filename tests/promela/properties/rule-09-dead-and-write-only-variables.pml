/* expect: holds
 * states: 217
 * what: values that nobody reads again are still part of the state
 */
byte never_read;

active [2] proctype P() {
	byte dead;
	do
	:: dead < 3 -> dead++; never_read = dead
	:: dead == 3 -> break
	od;
	dead = 9
}
