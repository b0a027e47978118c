/* expect: holds
 * states: 8843939
 * transitions: 33239787
 * pan: 13.19 s CPU, 1082 MB (-O3 -DSAFETY -DNOREDUCE -DNOFAIR, -w24 -m12000000), vector 44 bytes, depth 1052627
 * what: Peterson's filter lock for N processes: shared arrays, no channels.
 */
#ifndef N
#define N	4
#endif

byte level[N];
byte last[N];
byte inside;

active [N] proctype user() {
	byte stage, other;
again:
	stage = 1;
	do
	:: stage < N ->
		level[_pid] = stage;
		last[stage] = _pid;
		other = 0;
		do
		:: other < N ->
			other == _pid || level[other] < stage || last[stage] != _pid;
			other++
		:: else -> break
		od;
		stage++
	:: else -> break
	od;
	inside++;
	assert(inside == 1);
	inside--;
	level[_pid] = 0;
	goto again
}
