/* what: one reader and a writer
 * writes: violated
 * writes weak: violated
 * writes strong: holds        with one reader there is a moment without any, again and again
 * reads weak: violated
 * reads strong: holds
 */
byte readers;
bool writing;

active proctype reader() {
	do
	:: atomic { !writing -> readers++ };
		readers--
	od
}

active proctype writer() {
	do
	:: atomic { readers == 0 -> writing = true };
		writing = false
	od
}

ltl writes { [] <> writing }
ltl reads { [] <> (readers > 0) }
