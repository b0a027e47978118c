/* expect: holds
 * states: 10
 * what: two options with the same effect lead to one state
 */
byte x;

active [2] proctype P() {
	if
	:: x = 1
	:: x = 1
	:: x++
	:: x++
	fi
}
