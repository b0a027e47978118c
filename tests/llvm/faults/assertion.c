/* expect: violated
 * fault: assertion
 * line: 16
 * what: an assertion that is always false
 */
#include <assert.h>

static int twice(int x)
{
	return x + x;
}

int main(void)
{
	int y = twice(3);
	assert(y == 7); /* here */
	return 0;
}
