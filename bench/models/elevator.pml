/* expect: holds
 * states: 6585775
 * transitions: 21329046
 * pan: 11.43 s CPU, 1029 MB (-O3 -DSAFETY -DNOREDUCE -DNOFAIR, -w24 -m12000000), vector 64 bytes, depth 6598911
 * what: An elevator in a house of FLOORS floors with PEOPLE people who go where they like.
 */
#ifndef FLOORS
#define FLOORS	4
#endif
#ifndef PEOPLE
#define PEOPLE	3
#endif

mtype = { outside, waiting, riding };

byte cabin;                     /* the floor it is at */
bool up = true, open;
bool button[FLOORS], panel[FLOORS];
byte at[PEOPLE], goal[PEOPLE];
mtype person[PEOPLE] = outside;
byte aboard;

#define wanted(f)	(button[f] || panel[f])

active proctype controller() {
	byte f;
	bool further;
end:	do
	:: wanted(cabin) ->
		open = true;
		/* Close when all who want to get in or out here have done so. */
		atomic {
			timeout || (!button[cabin] && !panel[cabin]) -> open = false
		}
	:: atomic { !wanted(cabin) ->
		/* Go on in this direction while somebody wants it, else turn. */
		further = false;
		f = 0;
		do
		:: f < FLOORS ->
			if
			:: wanted(f) && (up && f > cabin || !up && f < cabin) -> further = true
			:: else
			fi;
			f++
		:: else -> break
		od;
		f = 0;
		if
		:: further && up -> cabin++
		:: further && !up -> cabin--
		:: !further && (wanted(0) || wanted(1) || wanted(2) || wanted(FLOORS - 1)) -> up = !up
		fi;
		further = false
	   }
	od
}

active [PEOPLE] proctype somebody() {
	byte me, to;
	me = _pid - 1;
end:	do
	:: person[me] == outside ->
		atomic { select (to : 0 .. FLOORS - 1); goal[me] = to; to = 0 };
		if
		:: goal[me] != at[me] ->
			atomic { person[me] = waiting; button[at[me]] = true };
			atomic {
				open && cabin == at[me] ->
				person[me] = riding;
				aboard++;
				button[at[me]] = false;
				panel[goal[me]] = true
			};
			atomic {
				open && cabin == goal[me] ->
				assert(person[me] == riding && aboard > 0);
				at[me] = goal[me];
				goal[me] = 0;
				person[me] = outside;
				aboard--;
				panel[cabin] = false
			}
		:: else
		fi
	od
}
