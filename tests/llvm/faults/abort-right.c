/* expect: holds
 * what: abort is not called
 */
#include <stdlib.h>
#include "auspex.h"

int main(void)
{
	if (__auspex_choose(5) == 5)
		abort();
	return 0;
}
