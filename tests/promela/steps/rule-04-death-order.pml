/* expect: holds
 * states: 17
 * what: only the youngest process can end
 */
byte done;

active proctype Old() {
	done++
}

active proctype Middle() {
	done++;
	done == 3
}

active proctype Young() {
	done++;
	done == 3;
	assert(_nr_pr >= 1)
}
