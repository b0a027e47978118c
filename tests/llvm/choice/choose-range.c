/* expect: holds
 * what: the choice is one of 0 to n - 1
 */
#include <assert.h>
#include "auspex.h"

int main(void)
{
	int x = __auspex_choose(4);
	assert(x >= 0 && x < 4);
	assert(__auspex_choose(1) == 0);
	return 0;
}
