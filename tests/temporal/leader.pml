/* what: election on a ring of three (Chang and Roberts)
 * one: holds
 * elected: holds              every run ends, and not before
 * strongest: holds
 * weakest strong: violated
 * final: holds
 * final weak: holds
 */
chan ring[3] = [3] of { byte };
byte leaders, leader = 9;

proctype node(byte own; byte from; byte to) {
	byte other;
	ring[to]!own;
	do
	:: ring[from]?other ->
		if
		:: other > own && other < 10 -> ring[to]!other
		:: other < own -> skip
		:: other == own -> atomic { leaders++; leader = own }; ring[to]!10; break
		:: other == 10 -> ring[to]!10; break
		fi
	od
}

init {
	atomic { run node(1, 0, 1); run node(2, 1, 2); run node(0, 2, 0) }
}

ltl one { [] (leaders <= 1) }
ltl elected { <> (leaders == 1) }
ltl strongest { <> (leader == 2) }
ltl weakest { <> (leader == 0) }
ltl final { <> [] (leader == 2) }
