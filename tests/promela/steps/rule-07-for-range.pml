/* expect: holds
 * states: 209
 * what: a for loop leaves its variable one above the end
 */
byte sum;

active proctype P() {
	byte i;
	for (i : 1 .. 4) {
		sum = sum + i
	}
	assert(i == 5 && sum == 10)
}

active proctype Q() {
	int j;
	for (j : -1 .. 1) {
		skip
	}
}
