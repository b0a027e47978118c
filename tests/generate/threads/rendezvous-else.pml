/* `else` of a sender is possible only while nobody is ready to receive. */
chan c = [0] of { byte };
byte sent;

active proctype sender() {
	byte tries;
	do
	:: tries == 4 -> break
	:: tries < 4 ->
		tries++;
		if
		:: c!tries -> sent++; printf("sent %d\n", tries)
		:: else -> printf("nobody\n")
		fi
	od
}

active proctype receiver() {
	byte x;
end:	do
	:: c?x -> printf("got %d\n", x); x = 0
	od
}
