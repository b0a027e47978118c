/* expect: holds
 * states: 10
 * what: every inline call has its own scope
 */
byte sum;

inline add(n) {
	byte t = n;
	t = t * 2;
	sum = sum + t
}

active proctype P() {
	add(1);
	add(2);
	atomic { add(3); add(sum) }
	assert(sum == 36)
}
