/* expect: violated
 * fault: assertion 22
 * what: Lamport's bakery without the `choosing` flags: a slow customer gets the same number and both are served.
 */
#define N	2
#define LAST	4

byte ticket[N];
byte inside;

active [N] proctype customer() {
	byte other = 1 - _pid;
	byte largest;
	/* Look at the other's ticket ... */
	largest = ticket[other];
	largest < LAST;
	/* ... and only now show one's own. */
	ticket[_pid] = largest + 1;
	ticket[other] == 0 || ticket[other] > ticket[_pid] ||
		(ticket[other] == ticket[_pid] && other > _pid);
	inside++;
	assert(inside == 1);
	inside--;
	ticket[_pid] = 0
}
