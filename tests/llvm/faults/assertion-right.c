/* expect: holds
 * what: assertions that are always true
 */
#include <assert.h>

static int twice(int x)
{
	return x + x;
}

int main(void)
{
	int y = twice(3);
	assert(y == 6);
	assert(y);
	assert(1 && "a text is true");
	return 0;
}
