/* expect: holds
 * states: 750
 * what: Leader election in a ring with messages in one direction (Chang and Roberts): exactly one wins.
 */
#define N	4

mtype = { candidate, elected };
chan link[N] = [N] of { mtype, byte };          /* link[i] leads to node i */
byte leaders;

proctype node(byte place; byte name) {
	byte other;
	chan left = link[place];
	chan right = link[(place + 1) % N];

	right!candidate,name;
	do
	:: left?candidate,other ->
		if
		:: other > name -> right!candidate,other        /* he may win */
		:: other < name                                 /* he may not */
		:: other == name ->
			/* My name came all the way round: nobody is larger. */
			leaders++;
			assert(leaders == 1 && name == N);
			right!elected,name
		fi
	:: left?elected,other ->
		if
		:: other != name -> right!elected,other
		:: else
		fi;
		break
	od
}

init {
	byte i;
	/* Two kinds of ring: names that rise and names that fall along it. */
	if
	:: atomic { for (i : 0 .. N - 1) { run node(i, i + 1) } }
	:: atomic { for (i : 0 .. N - 1) { run node(i, N - i) } }
	fi;
	_nr_pr == 1;
	assert(leaders == 1)
}
