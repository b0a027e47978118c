/* expect: holds
 * what: every char is tried: from -128 to 127
 */
#include <assert.h>

extern char __VERIFIER_nondet_char(void);

int main(void)
{
	char c = __VERIFIER_nondet_char();
	assert(c >= -128 && c <= 127);
	return 0;
}
