/* expect: violated
 * fault: assertion
 * line: 12
 * what: an assumption after the assertion does not help
 */
#include <assert.h>
#include "auspex.h"

int main(void)
{
	int x = __auspex_choose(10);
	assert(x < 9); /* here */
	__auspex_assume(x < 9);
	return 0;
}
