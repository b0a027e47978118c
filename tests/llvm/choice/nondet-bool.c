/* expect: violated
 * fault: assertion
 * line: 13
 * what: both truth values are tried
 */
#include <assert.h>

extern _Bool __VERIFIER_nondet_bool(void);

int main(void)
{
	_Bool a = __VERIFIER_nondet_bool(), b = __VERIFIER_nondet_bool();
	assert(!(a && !b)); /* here */
	return 0;
}
