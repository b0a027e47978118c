/* expect: holds
 * states: 80642
 * what: Lamport's bakery: take a number, the lowest number is served first.
 */
#define N	3       /* customers */
#define LAST	4       /* the roll of tickets ends here, so that the model stays finite */

bool choosing[N];
byte ticket[N];
byte inside;

/* Take a ticket above all others. It is not taken in one step: that is the point. */
inline take_ticket(me) {
	choosing[me] = true;
	largest = 0;
	for (i : 0 .. N - 1) {
		if
		:: ticket[i] > largest -> largest = ticket[i]
		:: else
		fi
	}
	largest < LAST;         /* wait for a new roll */
	ticket[me] = largest + 1;
	choosing[me] = false
}

/* Wait for everybody with a lower ticket, or the same ticket and a lower name. */
inline wait_for_turn(me) {
	for (i : 0 .. N - 1) {
		!choosing[i];
		ticket[i] == 0 || ticket[i] > ticket[me] || (ticket[i] == ticket[me] && i >= me)
	}
}

active [N] proctype customer() {
	byte i, largest;
end:	take_ticket(_pid);
	wait_for_turn(_pid);
	inside++;
	assert(inside == 1);
	inside--;
	ticket[_pid] = 0
}
