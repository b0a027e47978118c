/* expect: violated
 * fault: unreachable
 * line: 15
 * what: __builtin_unreachable is reached
 */
#include "auspex.h"

static int name(int colour)
{
	switch (colour) {
	case 0: return 'r';
	case 1: return 'g';
	case 2: return 'b';
	}
	__builtin_unreachable(); /* here */
}

int main(void)
{
	return name(__auspex_choose(4)) == 0;
}
