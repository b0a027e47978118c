/* expect: holds
 * what: a truth value is 0 or 1: tried exhaustively
 */
#include <assert.h>

extern _Bool __VERIFIER_nondet_bool(void);

int main(void)
{
	_Bool a = __VERIFIER_nondet_bool();
	int n = a;
	assert(n == 0 || n == 1);
	return 0;
}
