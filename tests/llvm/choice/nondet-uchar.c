/* expect: violated
 * fault: assertion
 * line: 14
 * what: every unsigned char is tried: a sum that wraps is found
 */
#include <assert.h>

extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void)
{
	unsigned char a = __VERIFIER_nondet_uchar();
	unsigned char b = (unsigned char)(a + 13);
	assert(b >= 13); /* here */
	return 0;
}
