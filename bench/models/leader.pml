/* expect: holds
 * states: 4374271
 * transitions: 16779943
 * pan: 7.79 s CPU, 1312 MB (-O3 -DSAFETY -DNOREDUCE -DNOFAIR, -w24 -m12000000), vector 176 bytes, depth 184
 * what: Leader election in a ring (Chang and Roberts) with buffered channels; names are dealt out at random.
 */
#ifndef N
#define N	6
#endif

mtype = { candidate, elected };
chan link[N] = [N] of { mtype, byte };
byte name[N];
byte leaders;

proctype node(byte place) {
	byte other;
	link[(place + 1) % N]!candidate,name[place];
	do
	:: link[place]?candidate,other ->
		if
		:: other > name[place] -> link[(place + 1) % N]!candidate,other
		:: other < name[place]
		:: other == name[place] ->
			leaders++;
			assert(leaders == 1 && other == N);
			link[(place + 1) % N]!elected,other
		fi
	:: link[place]?elected,other ->
		if
		:: other != name[place] -> link[(place + 1) % N]!elected,other
		:: else
		fi;
		break
	od
}

init {
	byte i, at;
	/* Names 1 to N in a random order: each name takes any free place. */
	atomic {
		i = 1;
		do
		:: i <= N ->
			select (at : 0 .. N - 1);
			if
			:: name[at] == 0 -> name[at] = i; i++
			:: else -> goto again
			fi
		:: else -> break
		od;
		i = 0; at = 0;
		do
		:: i < N -> run node(i); i++
		:: else -> break
		od
	};
	_nr_pr == 1;
	assert(leaders == 1);
again:
	skip
}
