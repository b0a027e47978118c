/* expect: violated
 * fault: d_step 10
 * what: blocking after the first statement of a d_step is an error
 */
byte x;

active proctype P() {
	d_step {
		x = 1;
		x == 2; /* fails here */
		x = 3
	}
}
