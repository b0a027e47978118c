/* expect: violated
 * fault: assertion
 * line: 13
 * what: -1 is tried
 */
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void)
{
	int x = __VERIFIER_nondet_int();
	assert(~x != 0); /* here */
	return 0;
}
