/* expect: violated
 * fault: assertion
 * line: 14
 * what: a number that the program compares with is tried
 */
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void)
{
	int x = __VERIFIER_nondet_int();
	if (x == 123456)
		assert(0); /* here */
	return 0;
}
