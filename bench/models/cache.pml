/* expect: holds
 * states: 2201850
 * transitions: 8122610
 * pan: 4.60 s CPU, 897 MB (-O3 -DSAFETY -DNOREDUCE -DNOFAIR, -w24 -m12000000), vector 116 bytes, depth 181191
 * what: The directory protocol of examples/cache.pml with more processors and more lines: a large vector.
 */
#ifndef CPUS
#define CPUS	4
#endif
#ifndef LINES
#define LINES	1
#endif

mtype = { Invalid, Shared, Modified };
mtype = { get_shared, get_modified, data, invalidate };

typedef Line { mtype state[CPUS]; bit value[CPUS]; bit memory; bit latest };
Line line[LINES];

chan request[LINES] = [0] of { mtype, byte };
chan to_cpu[CPUS] = [LINES] of { mtype, byte, bit };
chan answer[LINES] = [0] of { bit };

inline drop_line() {
	value = line[at].value[_pid];
	line[at].state[_pid] = Invalid;
	line[at].value[_pid] = 0;
	answer[at]!value;
	value = 0;
	at = 0
}

active [CPUS] proctype cpu() {
	mtype wanted;
	byte at, mine;
	bit value;
end:	do
	:: atomic {
		select (mine : 0 .. LINES - 1);
		if
		:: line[mine].state[_pid] == Modified ->
			line[mine].value[_pid] = 1 - line[mine].value[_pid];
			line[mine].latest = line[mine].value[_pid];
			mine = 0;
			goto end
		:: line[mine].state[_pid] != Modified -> wanted = Modified
		:: line[mine].state[_pid] == Shared || line[mine].state[_pid] == Modified ->
			assert(line[mine].value[_pid] == line[mine].latest);
			mine = 0;
			goto end
		:: line[mine].state[_pid] != Shared && line[mine].state[_pid] != Modified ->
			wanted = Shared
		fi
	   };
	   do
	   :: request[mine]!((wanted == Modified -> get_modified : get_shared)),_pid -> break
	   :: atomic { to_cpu[_pid]?invalidate,at,value -> drop_line() }
	   od;
	   do
	   :: atomic {
		to_cpu[_pid]?data,eval(mine),value ->
		line[mine].state[_pid] = wanted;
		line[mine].value[_pid] = value;
		value = 0; mine = 0; wanted = 0;
		break
	      }
	   :: atomic { to_cpu[_pid]?invalidate,at,value -> drop_line() }
	   od
	:: atomic { to_cpu[_pid]?invalidate,at,value -> drop_line() }
	od
}

active [LINES] proctype directory() {
	mtype what;
	byte who, i, me;
	bit value;
	bool has[CPUS];
	bool dirty;
	me = _pid - CPUS;
end:	do
	:: request[me]?what,who ->
		i = 0;
		do
		:: i < CPUS ->
			if
			:: has[i] && i != who && (what == get_modified || dirty) ->
				to_cpu[i]!invalidate,me,0;
				answer[me]?value;
				has[i] = false;
				if
				:: dirty -> line[me].memory = value
				:: else
				fi;
				value = 0
			:: else
			fi;
			i++
		:: else -> break
		od;
		dirty = (what == get_modified);
		has[who] = true;
		to_cpu[who]!data,me,line[me].memory;
		d_step { who = 0; i = 0; what = 0 }
	od
}
