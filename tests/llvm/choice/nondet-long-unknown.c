/* expect: unknown
 * reason: nondet
 * what: nor are sixty-four bits
 */
#include <assert.h>

extern long __VERIFIER_nondet_long(void);

int main(void)
{
	long x = __VERIFIER_nondet_long();
	assert((x ^ x) == 0);
	return 0;
}
