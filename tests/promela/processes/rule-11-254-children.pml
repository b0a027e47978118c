/* expect: violated
 * fault: deadlock
 * what: 255 processes are allowed
 */
proctype Sleeper() {
	false
}

active proctype Boss() {
	byte n;
	do
	:: n < 254 -> run Sleeper(); n++
	:: else -> break
	od;
	assert(_nr_pr == 255)
}
