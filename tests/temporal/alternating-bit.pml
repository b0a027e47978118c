/* what: the alternating bit protocol over channels that lose messages
 * order: holds                what is accepted is accepted once and in order
 * delivers: violated
 * delivers weak: violated     all messages may be lost
 * delivers strong: violated   fairness is about processes: the one that loses messages is fair, too
 * first weak: violated
 * first strong: holds         the receiver can take a message again and again, so it does once
 */
chan data = [1] of { bit };
chan ack = [1] of { bit };
byte sent, accepted;	/* modulo 4 */

active proctype sender() {
	bit b, x;
	do
	:: data!b
	:: ack?x ->
		if
		:: x == b -> atomic { b = 1 - b; sent = (sent + 1) % 4 }
		:: else
		fi
	od
}

active proctype receiver() {
	bit expected, x;
	do
	:: data?x;
		if
		:: x == expected -> atomic { expected = 1 - expected; accepted = (accepted + 1) % 4 }
		:: else
		fi;
		ack!x
	od
}

active proctype noise() {
	do
	:: data?_
	:: ack?_
	od
}

ltl order { [] (accepted == sent || accepted == (sent + 1) % 4) }
ltl delivers { [] <> (accepted == 1) && [] <> (accepted == 2) }
ltl first { <> (accepted == 1) }
