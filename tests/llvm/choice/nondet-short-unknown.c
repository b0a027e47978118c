/* expect: unknown
 * reason: nondet
 * what: sixteen bits are not tried exhaustively either
 */
#include <assert.h>

extern short __VERIFIER_nondet_short(void);

int main(void)
{
	short x = __VERIFIER_nondet_short();
	assert(x >= -32768);
	return 0;
}
