/* expect: holds
 * what: what is assumed away is not looked at
 */
#include <assert.h>
#include "auspex.h"

int main(void)
{
	int x = __auspex_choose(10);
	__auspex_assume(x > 3);
	__auspex_assume(x % 2 == 0);
	assert(x == 4 || x == 6 || x == 8);
	return 0;
}
