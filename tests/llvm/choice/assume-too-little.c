/* expect: violated
 * fault: assertion
 * line: 13
 * what: an assumption that leaves a wrong value
 */
#include <assert.h>
#include "auspex.h"

int main(void)
{
	int x = __auspex_choose(10);
	__auspex_assume(x > 3);
	assert(x != 9); /* here */
	return 0;
}
