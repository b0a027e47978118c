/* expect: holds
 * what: all walks of six steps stay within reach
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
	assert((x + y) % 2 == 0);
	assert(x <= 6 && x >= -6 && y <= 6 && y >= -6);
	return 0;
}
