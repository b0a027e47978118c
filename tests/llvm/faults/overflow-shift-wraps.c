/* expect: holds
 * cflags: -fwrapv
 * what: with -fwrapv signed numbers wrap, also when they are shifted
 */
#include <assert.h>
#include <limits.h>

volatile int x = 3;

int main(void)
{
	assert((x << 31) == INT_MIN);
	return 0;
}
