/* expect: holds
 * states: 10
 * what: a sort in one step
 */
byte a[5];
byte i, j, t;

active proctype P() {
	d_step {
		a[0] = 3; a[1] = 5; a[2] = 1; a[3] = 4; a[4] = 2;
		i = 0;
		do
		:: i < 5 ->
			j = 0;
			do
			:: j < 4 ->
				if
				:: a[j] > a[j + 1] -> t = a[j]; a[j] = a[j + 1]; a[j + 1] = t
				:: else
				fi;
				j++
			:: else -> break
			od;
			i++
		:: else -> break
		od
	};
	assert(a[0] == 1 && a[1] == 2 && a[4] == 5)
}

active proctype Q() {
	assert(i == 0 || i == 5)
}
