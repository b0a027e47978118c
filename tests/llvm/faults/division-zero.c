/* expect: violated
 * fault: division
 * line: 11
 * what: an integer division by zero
 */
#include "auspex.h"

int main(void)
{
	int n = __auspex_choose(3);
	return 10 / n > 20; /* here */
}
