/* expect: holds
 * states: 2
 * what: a formula that fails is not a matter of safety
 */
bool p;

active proctype P() {
	do
	:: p = true
	:: p = false
	od
}

ltl never_true { [] !p }
