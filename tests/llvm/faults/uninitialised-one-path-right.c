/* expect: holds
 * what: set on all paths
 */
#include "auspex.h"

int main(void)
{
	int kind = __auspex_choose(3), x;
	if (kind == 0)
		x = 1;
	if (kind == 1)
		x = 2;
	if (kind == 2)
		x = 3;
	if (x != kind + 1)
		return 1;
	return 0;
}
