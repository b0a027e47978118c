/* expect: violated
 * fault: assertion
 * line: 20
 * what: a walk of six steps can end in the corner 3, 3
 */
#include <assert.h>
#include "auspex.h"

int main(void)
{
	int x = 0, y = 0;
	for (int step = 0; step < 6; step++) {
		switch (__auspex_choose(4)) {
		case 0: x++; break;
		case 1: x--; break;
		case 2: y++; break;
		case 3: y--; break;
		}
	}
	assert(!(x == 3 && y == 3)); /* here */
	return 0;
}
