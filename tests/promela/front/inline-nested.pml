/* expect: holds
 * states: 12
 * what: an inline that calls inlines, parameters replaced as text
 */
byte a[2], total;

inline set(where, what) {
	where = what
}

inline swap(p, q) {
	byte t;
	set(t, p);
	set(p, q);
	set(q, t)
}

inline bump(v) {
	v++;
	total = total + v
}

active proctype P() {
	set(a[0], 3);
	set(a[1], a[0] + 1);
	swap(a[0], a[1]);
	assert(a[0] == 4 && a[1] == 3);
	bump(a[1]);
	assert(total == 4)
}
