/* expect: violated
 * fault: error
 * line: 13
 * what: reach_error is called
 */
extern void reach_error(void);
#include "auspex.h"

int main(void)
{
	int a = __auspex_choose(4), b = __auspex_choose(4);
	if (a * b == 6)
		reach_error(); /* here */
	return 0;
}
