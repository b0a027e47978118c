/* expect: holds
 * states: 13
 * what: options that are only skip, true, else or a constant
 */
byte x;

active [2] proctype P() {
	if
	:: skip
	:: true
	:: 1
	:: else
	fi;
	x++
}
