/* expect: violated
 * fault: division 10
 * what: dividing by a variable that is 0
 */
byte x = 2, y;

active proctype P() {
	x--;
	x--;
	y = 10 / x /* fails here */
}
