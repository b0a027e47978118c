/* The twin of examples/lf/window.lf: go-back-N over links that hold and lose one message. */
#define WINDOW	2
#define NUMBERS	3
#define VALUES	6

chan to_link = [0] of { byte, byte };
chan from_link = [0] of { byte, byte };
chan to_back = [0] of { byte };
chan from_back = [0] of { byte };
chan timer = [0] of { bit };

active proctype sender() {
	byte base, count, ack, i;
again:	do
	:: (count < WINDOW) -> if
		:: to_link!((base + count) % NUMBERS),((base + count) % VALUES) -> count++
		:: from_back?ack -> goto acked
		:: timer?_ -> count = 0
		fi
	:: (count >= WINDOW) -> if
		:: from_back?ack -> goto acked
		:: timer?_ -> count = 0
		fi
	od;
acked:	atomic {
		i = 0;
		do
		:: i <= count && (base + i) % NUMBERS != ack -> i++
		:: else -> break
		od;
		if
		:: i <= count -> base = (base + i) % VALUES; count = count - i
		:: else
		fi;
		i = 0; ack = 0
	}
	goto again
}

active proctype receiver() {
	byte seq, value, expected;
	do
	:: from_link?seq,value ->
		atomic {
			if
			:: seq == expected % NUMBERS ->
				assert(value == expected);
				expected = (expected + 1) % VALUES
			:: else
			fi;
			seq = 0; value = 0
		}
		to_back!(expected % NUMBERS)
	od
}

active proctype data_link() {
	byte seq, value;
	do
	:: to_link?seq,value ->
		if
		:: from_link!seq,value
		:: true                 /* lost */
		fi;
		atomic { seq = 0; value = 0 }
	od
}

active proctype ack_link() {
	byte ack;
	do
	:: to_back?ack ->
		if
		:: from_back!ack
		:: true                 /* lost */
		fi;
		ack = 0
	od
}

active proctype clock() {
	do
	:: timer!0
	od
}
