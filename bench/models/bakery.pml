/* expect: holds
 * states: 1318636
 * transitions: 3733880
 * pan: 0.98 s CPU, 728 MB (-O3 -DSAFETY -DNOREDUCE -DNOFAIR, -w24 -m12000000), vector 40 bytes, depth 95632
 * what: Lamport's bakery with N customers and tickets up to LAST: many small processes, a small vector.
 */
#ifndef N
#define N	3
#endif
#ifndef LAST
#define LAST	6
#endif

bool choosing[N];
byte ticket[N];
byte inside;

active [N] proctype customer() {
	byte i, largest;
end:	choosing[_pid] = true;
	largest = 0;
	i = 0;
	do
	:: i < N ->
		if
		:: ticket[i] > largest -> largest = ticket[i]
		:: else
		fi;
		i++
	:: else -> break
	od;
	if
	:: largest < LAST
	:: else -> choosing[_pid] = false; goto end     /* the roll is at its end: try again later */
	fi;
	ticket[_pid] = largest + 1;
	choosing[_pid] = false;
	i = 0;
	do
	:: i < N ->
		!choosing[i];
		ticket[i] == 0 || ticket[i] > ticket[_pid] || (ticket[i] == ticket[_pid] && i >= _pid);
		i++
	:: else -> break
	od;
	inside++;
	assert(inside == 1);
	inside--;
	ticket[_pid] = 0;
	goto end
}
