/* expect: violated
 * fault: uninitialised
 * line: 16
 * what: set on two of three paths
 */
#include "auspex.h"

int main(void)
{
	int kind = __auspex_choose(3), x;
	int *volatile address = &x;
	if (kind == 0)
		*address = 1;
	if (kind == 1)
		*address = 2;
	if (x > 2) /* here */
		return 1;
	return 0;
}
