/* expect: violated
 * fault: division 9
 * spin: differs
 * what: pan is killed by SIGFPE; Auspex reports the division
 */
byte zero;
active proctype P() {
	byte x = 5;
	x = x / zero
}
