/* expect: holds
 * states: 4228
 * what: in one step, any of many nodes may answer any other by rendezvous; all that it may depend on is found before long, or not at all
 */
#define N 24
chan c[N] = [0] of { byte, byte };
chan next[N];
byte left;

proctype Node(byte me) {
	byte v, w, s;
end:	do
	:: atomic { left == 4 && me < 3 -> left--; next[v]!0,me; s = 1 }
	:: atomic { c[me]?0,w -> if :: left > 0 -> left--; next[w]!1,me :: left == 3 -> next[w]!2,me :: s = 2 fi }
	:: atomic { c[me]?1,w -> s = 3; if :: left > 0 -> left--; next[w]!3,me :: next[v]!4,me :: skip fi }
	:: atomic { c[me]?2,w -> s = 4; if :: left > 0 -> left--; next[w]!3,me :: next[v]!4,me :: skip fi }
	:: atomic { c[me]?3,w -> s = 5; if :: left > 0 -> left--; next[w]!1,me :: next[v]!2,me :: skip fi }
	:: atomic { c[me]?4,w -> s = 6; if :: left > 0 -> left--; next[w]!1,me :: next[v]!2,me :: skip fi }
	:: s > 1 -> s = 0
	od
}

/* So that there is no deadlock. */
bit tick;
active proctype Clock() { do :: tick = 1 - tick od }

init {
	byte i;
	atomic {
		for (i : 0 .. N - 1) { run Node(i) }
	}
	for (i : 0 .. N - 1) { next[i] = c[(i + 1) % N] }
	left = 4
}
