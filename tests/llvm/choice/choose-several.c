/* expect: violated
 * fault: assertion
 * line: 12
 * what: three choices in a row, one combination is wrong
 */
#include <assert.h>
#include "auspex.h"

int main(void)
{
	int a = __auspex_choose(3), b = __auspex_choose(4), c = __auspex_choose(5);
	assert(100 * a + 10 * b + c != 213); /* here */
	return 0;
}
