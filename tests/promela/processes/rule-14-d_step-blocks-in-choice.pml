/* expect: violated
 * fault: d_step 10
 * what: no option can be taken inside a d_step
 */
byte x = 3;

active proctype P() {
	d_step {
		x++;
		if /* fails here */
		:: x == 1 -> skip
		:: x == 2 -> skip
		fi
	}
}
