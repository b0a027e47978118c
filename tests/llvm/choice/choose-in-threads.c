/* expect: violated
 * fault: assertion
 * line: 24
 * what: choices of two threads together
 */
#include <assert.h>
#include <pthread.h>
#include "auspex.h"

static void *thread(void *argument)
{
	*(int *)argument = __auspex_choose(3);
	return 0;
}

int main(void)
{
	pthread_t a, b;
	int x, y;
	pthread_create(&a, 0, thread, &x);
	pthread_create(&b, 0, thread, &y);
	pthread_join(a, 0);
	pthread_join(b, 0);
	assert(!(x == 2 && y == 1)); /* here */
	return 0;
}
