/* expect: violated
 * fault: assertion
 * line: 11
 * what: the first choice is possible
 */
#include <assert.h>
#include "auspex.h"

int main(void)
{
	assert(__auspex_choose(4) != 0); /* here */
	return 0;
}
