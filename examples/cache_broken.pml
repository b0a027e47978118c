/* expect: violated
 * fault: assertion 39
 * what: The cache coherence protocol whose directory forgets to call back the copies of readers before a write.
 */
#define CPUS	3

mtype = { Invalid, Shared, Modified };          /* what a cache holds */
mtype = { get_shared, get_modified, data, invalidate };

chan request = [0] of { mtype, byte };          /* to the directory: what, who */
chan to_cpu[CPUS] = [1] of { mtype, bit };      /* from the directory */
chan answer = [0] of { bit };                   /* to the directory, after `invalidate` */

mtype line[CPUS] = Invalid;
bit cached[CPUS];               /* the value in each cache */
bit memory, latest;             /* the value in memory, and the last one written */

inline drop_line() {
	value = cached[_pid];
	line[_pid] = Invalid;
	cached[_pid] = 0;
	answer!value;
	value = 0
}

inline wait_for_data(wanted) {
	atomic {
		to_cpu[_pid]?data,value ->
		line[_pid] = wanted;
		cached[_pid] = value;
		value = 0
	}
}

active [CPUS] proctype cpu() {
	bit value;
end:	do
	/* Read: from the cache, or ask for a copy. */
	:: atomic { line[_pid] != Invalid -> assert(cached[_pid] == latest) }
	:: line[_pid] == Invalid ->
		do
		:: request!get_shared,_pid -> break
		:: atomic { to_cpu[_pid]?invalidate,value -> drop_line() }
		od;
		wait_for_data(Shared)
	/* Write: only into a modified line, or ask for it. */
	:: atomic { line[_pid] == Modified -> cached[_pid] = 1 - cached[_pid]; latest = cached[_pid] }
	:: line[_pid] != Modified ->
		do
		:: request!get_modified,_pid -> break
		:: atomic { to_cpu[_pid]?invalidate,value -> drop_line() }
		od;
		wait_for_data(Modified)
	/* The directory wants the line back. */
	:: atomic { to_cpu[_pid]?invalidate,value -> drop_line() }
	od
}

active proctype directory() {
	mtype what;
	byte who, i;
	bit value;
	bool has[CPUS];
	bool dirty;             /* the only holder has a newer value than the memory */
end:	do
	:: request?what,who ->
		/* The mistake: copies of readers are left alone when somebody wants to write. */
		for (i : 0 .. CPUS - 1) {
			if
			:: has[i] && i != who && dirty ->
				to_cpu[i]!invalidate,0;
				answer?value;
				has[i] = false;
				if
				:: dirty -> memory = value
				:: else
				fi;
				value = 0
			:: else
			fi
		}
		dirty = (what == get_modified);
		has[who] = true;
		to_cpu[who]!data,memory;
		who = 0; i = 0; what = 0
	od
}
