/* expect: violated
 * fault: assertion 45
 * what: Go-back-N with as many sequence numbers as the window is wide: an old message is taken for a new one.
 */
#define WINDOW	2
#define NUMBERS	2       /* the mistake: this must be more than WINDOW */
#define VALUES	6       /* the data is a counter modulo this: a multiple of NUMBERS */

chan data = [2] of { byte, byte };      /* sequence number, value */
chan acks = [1] of { byte };            /* the number that is expected next */

active proctype sender() {
	byte base;              /* value of the oldest message that is not acknowledged */
	byte count;             /* how many are under way */
	byte i, ack, first;
end:	do
	:: atomic { count < WINDOW && nfull(data) ->
		data!((base + count) % NUMBERS),((base + count) % VALUES);
		count++
	   }
	:: atomic { acks?ack ->
		/* Everything before `ack` has arrived, if `ack` lies in the window. */
		i = 0;
		first = base % NUMBERS;
		do
		:: i <= count && (first + i) % NUMBERS != ack -> i++
		:: i <= count && (first + i) % NUMBERS == ack ->
			base = (base + i) % VALUES;
			count = count - i;
			break
		:: i > count -> break
		od;
		i = 0; ack = 0; first = 0
	   }
	:: atomic { timeout -> count = 0 }      /* all is lost: send the window again */
	od
}

active proctype receiver() {
	byte seq, value, expected;
end:	do
	:: atomic { data?seq,value ->
		if
		:: seq == expected % NUMBERS ->
			assert(value == expected);
			expected = (expected + 1) % VALUES
		:: else
		fi;
		seq = 0; value = 0
	   };
	   if
	   :: acks!(expected % NUMBERS)
	   :: full(acks)
	   fi
	od
}

active proctype thief() {
end:	do
	:: data?_,_
	:: acks?_
	od
}
