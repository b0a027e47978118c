/* expect: violated
 * fault: deadlock
 * what: while the escape is enabled the main part may not move
 */
byte x = 1;

active proctype P() {
	{ x = 2; x = 3 } unless { x == 1 -> x = 7; x == 3 }
}
