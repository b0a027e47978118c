/* expect: holds
 * flags: -O 2
 * what: optimised: the lesser of two pointers, also to different global variables and as signed numbers
 */
#include <assert.h>
#include <stdint.h>

static int first, second;
static int *volatile p = &first, *volatile q = &second;

int main(void)
{
	uintptr_t a = (uintptr_t)p, b = (uintptr_t)q, none = 0;
	uintptr_t least = a < b ? a : b, most = a > b ? a : b;
	intptr_t sa = (intptr_t)p, sb = (intptr_t)q;
	intptr_t lowest = sa < sb ? sa : sb;

	assert(least != most && least == (uintptr_t)lowest);
	assert((a < none ? a : none) == 0);
	*(int *)least = 1;
	*(int *)most = 2;
	assert(first + second == 3);
	return 0;
}
