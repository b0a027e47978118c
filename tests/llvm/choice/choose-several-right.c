/* expect: holds
 * what: three choices in a row: no combination is wrong
 */
#include <assert.h>
#include "auspex.h"

int main(void)
{
	int a = __auspex_choose(3), b = __auspex_choose(4), c = __auspex_choose(5);
	assert(100 * a + 10 * b + c <= 234);
	assert((a + b + c) % 2 == (a ^ b ^ c) % 2);
	return 0;
}
