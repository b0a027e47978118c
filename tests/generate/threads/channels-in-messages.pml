/* A channel goes through a channel, and as a parameter. */
chan post = [0] of { chan, byte };

proctype server(chan answer; byte n) {
	answer!n * 2;
	printf("server %d is done\n", n)
}

active proctype broker() {
	chan who; byte n, i;
	for (i : 1 .. 2) {
		post?who,n;
		run server(who, n)
	}
}

active [2] proctype client() {
	chan mine = [1] of { byte };
	byte x;
	post!mine,_pid;
	mine?x;
	printf("client %d got %d\n", _pid, x)
}
