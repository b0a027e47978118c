/* expect: holds
 * states: 45
 * what: nested for loops with break and goto
 */
byte n;

active proctype P() {
	byte i, j;
	for (i : 0 .. 3) {
		for (j : 0 .. 3) {
			if
			:: j > i -> break
			:: else -> n++
			fi
		}
		if
		:: i == 2 -> goto out
		:: else
		fi
	}
out:
	assert(n == 6)
}
