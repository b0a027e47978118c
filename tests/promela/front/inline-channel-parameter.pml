/* expect: holds
 * states: 7
 * what: channels and constants as parameters of an inline
 */
chan q = [2] of { byte };
byte got;

inline push(c, v) { c!v }
inline pop(c, v) { c?v }

active proctype P() {
	push(q, 4);
	push(q, 5);
	pop(q, got);
	pop(q, 5);
	assert(got == 4)
}
