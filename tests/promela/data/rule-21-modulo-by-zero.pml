/* expect: violated
 * fault: division 10
 * what: modulo by a variable that is 0
 */
byte x = 1, y;

active proctype P() {
	x = 0;
	if
	:: y = 7 % x /* fails here */
	fi
}
