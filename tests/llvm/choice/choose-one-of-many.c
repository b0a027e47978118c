/* expect: violated
 * fault: assertion
 * line: 12
 * what: one choice of a thousand is wrong
 */
#include <assert.h>
#include "auspex.h"

int main(void)
{
	int x = __auspex_choose(1000);
	assert(x * x != 613 * 613); /* here */
	return 0;
}
