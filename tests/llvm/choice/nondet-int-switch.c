/* expect: violated
 * fault: assertion
 * line: 16
 * what: a number of a case is tried
 */
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void)
{
	switch (__VERIFIER_nondet_int()) {
	case 77:
		break;
	case 7777:
		assert(0); /* here */
	}
	return 0;
}
