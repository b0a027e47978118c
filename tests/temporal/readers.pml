/* what: two readers and a writer, the readers have precedence
 * excludes: holds
 * writes: violated
 * writes weak: violated
 * writes strong: violated     the readers take turns so that there is always one: the writer can never move
 * reads weak: violated        the writer may come again and again
 * reads strong: holds         somebody reads: a reader can move whenever nobody writes
 */
byte readers;
bool writing;

active [2] proctype reader() {
	do
	:: atomic { !writing -> readers++ };
		readers--
	od
}

active proctype writer() {
	do
	:: atomic { !writing && readers == 0 -> writing = true };
		writing = false
	od
}

ltl excludes { [] !(writing && readers > 0) }
ltl writes { [] <> writing }
ltl reads { [] <> (readers > 0) }
