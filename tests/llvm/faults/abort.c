/* expect: violated
 * fault: abort
 * line: 12
 * what: abort is called
 */
#include <stdlib.h>
#include "auspex.h"

int main(void)
{
	if (__auspex_choose(5) == 4)
		abort(); /* here */
	return 0;
}
