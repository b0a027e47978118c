/* what: a four-phase handshake: there is always exactly one who can move
 * answered: holds
 * again: holds
 * first: holds
 * before: holds
 * keeps: holds
 * stays: violated
 * stays strong: violated
 * both: violated
 */
bit req, ack;

active proctype client() {
	do
	:: req = 1; ack == 1; req = 0; ack == 0
	od
}

active proctype server() {
	do
	:: req == 1; ack = 1; req == 0; ack = 0
	od
}

ltl answered { [] (req == 1 -> <> (ack == 1)) }
ltl again { [] <> (req == 1) && [] <> (req == 0) }
ltl first { !(ack == 1) U (req == 1) }
ltl before { (req == 1) V !(ack == 1) || <> (req == 1) }
ltl keeps { [] ((req == 1 && ack == 0) -> (req == 1 U ack == 1)) }
ltl stays { <> [] (req == 1) }
ltl both { [] <> (req == 1 && ack == 0) -> <> [] (ack == 0) }
