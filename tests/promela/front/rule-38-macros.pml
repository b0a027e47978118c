/* expect: holds
 * states: 625
 * what: macros with and without arguments, continued over lines
 */
#define N	3
#define MAX(a, b)	((a) > (b) -> (a) : (b))
#define INCR(v)	v = v + 1
#define TWICE(stmt)	stmt; \
			stmt
#define EMPTY
#define CALL(f, x)	f(x)

byte x, y;

active [N] proctype P() {
	TWICE(INCR(x));
	y = MAX(x, N);
	CALL(INCR, y);
	EMPTY
	assert(y >= N)
}
