/* expect: holds
 * what: functions given to atexit run in reverse order, and also when main returns
 */
#include <assert.h>
#include <stdlib.h>

static int order;

static void first(void)
{
	assert(order == 1);
}

static void second(void)
{
	order = 1;
}

int main(void)
{
	atexit(first);
	atexit(second);
	return 0;
}
