/* expect: holds
 * states: 3
 * what: a choice inside a d_step takes the first executable option
 */
byte x;

active proctype P() {
	d_step {
		if
		:: x == 1 -> x = 10
		:: x == 0 -> x = 20
		:: x == 0 -> x = 30
		:: true -> x = 40
		fi;
		assert(x == 20);
		if
		:: x = 1
		:: x = 2
		fi;
		assert(x == 1)
	}
}
