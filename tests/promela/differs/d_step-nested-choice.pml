/* expect: holds
 * states: 4
 * spin: differs
 * what: in a d_step, an option that is a choice with nothing to run is passed over
 */
byte x, y;
active proctype P() {
	d_step {
		y = 0;
		if
		:: if :: y == 1 -> x = 1 :: y == 2 -> x = 2 fi
		:: y == 0 -> x = 3
		fi
	};
	assert(x == 3)
}
