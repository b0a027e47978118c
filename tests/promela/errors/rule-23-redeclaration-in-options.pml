/* expect: error
 * line: 10
 * what: the options of an if are one scope
 */
byte g;

active proctype P() {
	if
	:: true -> byte y = 3; g = y
	:: true -> int y = 4; g = y /* refused here */
	fi
}
