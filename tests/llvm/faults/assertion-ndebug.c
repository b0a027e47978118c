/* expect: holds
 * cflags: -DNDEBUG
 * what: with NDEBUG an assertion is nothing
 */
#include <assert.h>

int main(void)
{
	assert(0);
	return 0;
}
