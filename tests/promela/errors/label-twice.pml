/* expect: error
 * line: 9
 * what: the same label twice in a proctype
 */
byte x;

active proctype P() {
L:	x = 1;
L:	x = 2 /* refused here */
}
