/* expect: holds
 * what: reach_error is not called
 */
extern void reach_error(void);
#include "auspex.h"

int main(void)
{
	int a = __auspex_choose(4), b = __auspex_choose(4);
	if (a * b == 5)
		reach_error();
	return 0;
}
