/* expect: violated
 * fault: channel 7
 * what: a receive from a channel variable that is 0
 */
proctype R(chan in1) {
	byte v;
	in1?v
}

init {
	run R(0)
}
