/* what: an elevator that sweeps up and down between three floors
 * closed: holds               it does not move with open doors
 * served: violated
 * served weak: violated       somebody calls it back to floor 0 before it looks elsewhere
 * served strong: violated
 * answers: violated           the people call and call, and it never moves
 * answers weak: holds
 * sweeps: violated            without a call it stays where it is
 * sweeps weak: violated
 * range: holds
 */
bool call[3];
byte floor;
bit up = 1;
bool open;

active proctype elevator() {
	do
	:: call[floor] -> open = true; call[floor] = false; open = false
	:: !call[floor] && (call[0] || call[1] || call[2]) ->
		if
		:: floor == 2 -> up = 0
		:: floor == 0 -> up = 1
		:: else
		fi;
		if
		:: up -> floor++
		:: else -> floor--
		fi
	od
}

active proctype people() {
	do
	:: call[0] = true
	:: call[1] = true
	:: call[2] = true
	od
}

ltl closed { [] ((open && floor == 1) -> ((floor == 1 U !open) || [] (floor == 1))) }
ltl served { [] (call[2] -> <> (floor == 2 && open)) }
ltl answers { [] ((call[0] || call[1] || call[2]) -> <> open) }
ltl sweeps { [] <> (floor == 2) }
ltl range { [] (floor <= 2) }
