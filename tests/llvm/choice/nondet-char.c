/* expect: violated
 * fault: assertion
 * line: 13
 * what: every char is tried, also the negative ones
 */
#include <assert.h>

extern char __VERIFIER_nondet_char(void);

int main(void)
{
	char c = __VERIFIER_nondet_char();
	assert(c != -77); /* here */
	return 0;
}
