/* expect: violated
 * fault: channel 17
 * what: a channel is gone when the process that made it ends
 */
chan box = [1] of { chan };

proctype Maker() {
	chan mine = [1] of { byte };
	box!mine
}

init {
	chan got;
	run Maker();
	box?got;
	_nr_pr == 1;
	got!7
}
