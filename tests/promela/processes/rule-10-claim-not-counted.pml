/* expect: holds
 * states: 16
 * what: a never claim takes no pid and is not counted
 */
byte x;

active proctype P() {
	assert(_pid == 0 && _nr_pr <= 2);
	x = 1
}

active proctype Q() {
	assert(_pid == 1);
	x = 2
}

never {
	do
	:: true
	od
}
