/* expect: holds
 * what: the divisor is looked at first, and a division of floating-point numbers by zero is infinity
 */
#include "auspex.h"

int main(void)
{
	int n = __auspex_choose(3);
	double zero = 0;
	if (1 / zero < 1e300)
		return 1;
	return n != 0 && 10 / n > 20;
}
