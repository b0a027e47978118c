/* A handshake that can be made comes before a timeout. */
chan c = [0] of { byte };

active proctype a() {
	byte x;
	do
	:: c?x -> printf("got %d\n", x)
	:: timeout -> printf("silence\n"); break
	od
}

active [2] proctype b() {
	c!_pid;
	printf("%d is done\n", _pid)
}
