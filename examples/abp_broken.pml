/* expect: violated
 * fault: assertion 35
 * what: The alternating bit protocol whose sender takes any acknowledgement for its own: a message is lost.
 */
#define VALUES	4

chan to_receiver = [1] of { byte, bit };
chan to_sender = [1] of { bit };

active proctype line() {
end:	do
	:: to_receiver?_,_
	:: to_sender?_
	od
}

active proctype sender() {
	byte data;
	bit seq;
end:	do
	:: to_receiver!data,seq
	:: to_sender?_ ->       /* the mistake: the bit is not looked at */
		data = (data + 1) % VALUES;
		seq = 1 - seq
	od
}

active proctype receiver() {
	byte data, expected;
	bit seq, next;
end:	do
	:: to_receiver?data,seq ->
		if
		:: seq == next ->
			assert(data == expected);
			expected = (expected + 1) % VALUES;
			next = 1 - next
		:: else
		fi;
		to_sender!seq
	od
}
