/* expect: violated
 * fault: assertion
 * line: 13
 * what: functions given to atexit run in reverse order
 */
#include <assert.h>
#include <stdlib.h>

static int order;

static void first(void)
{
	assert(order != 1); /* here */
}

static void second(void)
{
	order = 1;
}

int main(void)
{
	atexit(first);
	atexit(second);
	exit(0);
}
