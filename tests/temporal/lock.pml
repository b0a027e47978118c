/* what: a lock that whoever comes first takes
 * mutex: holds
 * someone: violated          the clock alone
 * first: violated
 * first weak: violated        the lock is not free all the time, only again and again
 * first strong: holds
 * someone weak: holds
 * both strong: holds
 * released: violated          the owner may not move
 * released weak: holds
 */
bool locked;
byte inside;

active [2] proctype P() {
	do
	:: atomic { !locked -> locked = true; inside++ };
cs:		atomic { inside--; locked = false }
	od
}

ltl mutex { [] (inside <= 1) }
ltl someone { [] <> (inside == 1) }
ltl first { [] <> P[0]@cs }
ltl both { [] <> P[0]@cs && [] <> P[1]@cs }
ltl released { [] (P[0]@cs -> <> !P[0]@cs) }

/* Somebody who keeps the machine busy. */
active proctype clock() {
	bit t;
	do
	:: t = 1 - t
	od
}
