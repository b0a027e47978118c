/* expect: holds
 * what: __builtin_trap is not reached
 */
#include "auspex.h"

int main(void)
{
	int n = __auspex_choose(2) + __auspex_choose(2);
	if (n == 3)
		__builtin_trap();
	return 0;
}
