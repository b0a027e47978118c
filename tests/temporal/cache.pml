/* what: two caches of one line: invalid, shared, modified
 * single: holds
 * exclusive: holds
 * fresh: holds                what is read is what was written last
 * modifies: violated
 * modifies strong: violated   nobody has to write
 * reads: violated
 * reads weak: holds           while it is invalid it can always read; while it is modified the other one can
 */
mtype = { invalid, shared, modified };
mtype line[2] = invalid;
bit value[2], memory, newest;

active [2] proctype cache() {
	do
	:: atomic { line[_pid] == invalid ->
			if
			:: line[1 - _pid] == modified -> memory = value[1 - _pid]; line[1 - _pid] = shared
			:: else
			fi;
			value[_pid] = memory; line[_pid] = shared }
	:: atomic { line[_pid] == shared ->
			line[1 - _pid] = invalid; line[_pid] = modified;
			value[_pid] = 1 - value[_pid]; newest = value[_pid] }
	:: atomic { line[_pid] == modified -> value[_pid] = 1 - value[_pid]; newest = value[_pid] }
	:: atomic { line[_pid] == modified -> memory = value[_pid]; line[_pid] = invalid }
	od
}

ltl single { [] !(line[0] == modified && line[1] == modified) }
ltl exclusive { [] (line[0] == modified -> line[1] == invalid) }
ltl fresh { [] ((line[0] != invalid -> value[0] == newest) && (line[1] != invalid -> value[1] == newest)) }
ltl modifies { [] <> (line[0] == modified) }
ltl reads { [] <> (line[0] == shared) }
