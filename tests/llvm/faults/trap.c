/* expect: violated
 * fault: trap
 * line: 12
 * what: __builtin_trap is reached
 */
#include "auspex.h"

int main(void)
{
	int n = __auspex_choose(2) + __auspex_choose(2);
	if (n == 2)
		__builtin_trap(); /* here */
	return 0;
}
