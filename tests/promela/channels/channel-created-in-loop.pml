/* expect: holds
 * states: 701
 * what: a channel declared at the top lives as long as its process
 */
chan box = [3] of { chan };

proctype W() {
	chan mine = [1] of { byte };
	box!mine;
	mine?_
}

init {
	chan c;
	byte i;
	for (i : 1 .. 3) {
		run W()
	}
	for (i : 1 .. 3) {
		box?c;
		c!i
	}
}
