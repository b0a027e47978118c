/* A receiver of a handshake never knows that somebody waits: its `else` can always be taken. */
chan c = [0] of { byte };

active proctype receiver() {
	byte x, n;
	do
	:: n < 3 ->
		n++;
		if
		:: c?x -> printf("got %d\n", x)
		:: else -> printf("did not wait\n")
		fi
	:: else -> break
	od
}

active proctype sender() {
end:	c!7;
	printf("sent\n")
}
