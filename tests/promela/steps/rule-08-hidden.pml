/* expect: holds
 * states: 63
 * what: a hidden variable is no part of the state
 */
hidden byte noise;
byte x;

active [2] proctype P() {
	do
	:: x < 4 -> x++; noise = noise + 3
	:: x >= 4 -> break
	od
}
