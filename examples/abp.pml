/* expect: holds
 * states: 450
 * what: The alternating bit protocol over a line that loses messages: nothing is lost, doubled or reordered.
 */
#define VALUES	4       /* the data is a counter modulo this */

chan to_receiver = [1] of { byte, bit };
chan to_sender = [1] of { bit };

/* Both directions may lose a message at any time. */
active proctype line() {
end:	do
	:: to_receiver?_,_
	:: to_sender?_
	od
}

active proctype sender() {
	byte data;
	bit seq, got;
end:	do
	:: to_receiver!data,seq         /* send, again and again */
	:: to_sender?got ->
		if
		:: got == seq -> data = (data + 1) % VALUES; seq = 1 - seq
		:: else                 /* an old acknowledgement */
		fi
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
		:: else                 /* a message that we have already */
		fi;
		to_sender!seq
	od
}
