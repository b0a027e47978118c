/* expect: violated
 * fault: assertion 14
 * spin: differs
 * what: the value of a hidden variable that is read has to be part of the state: pan misses the second value
 */
hidden byte h;
byte turns;
active proctype P() {
	if
	:: h = 1
	:: h = 2
	fi;
	turns++;
	assert(h == 1)
}
