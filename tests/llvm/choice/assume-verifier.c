/* expect: holds
 * what: __VERIFIER_assume is the same
 */
#include <assert.h>

extern void __VERIFIER_assume(int);
extern _Bool __VERIFIER_nondet_bool(void);

int main(void)
{
	_Bool a = __VERIFIER_nondet_bool(), b = __VERIFIER_nondet_bool();
	__VERIFIER_assume(a != b);
	assert(a + b == 1);
	return 0;
}
