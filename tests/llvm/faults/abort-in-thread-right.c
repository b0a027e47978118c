/* expect: holds
 * what: what the thread waits for in vain: the second write is never seen without the first
 */
#include <pthread.h>
#include <stdlib.h>

static volatile int x, y;

static void *thread(void *argument)
{
	int second = y, first = x;
	if (first == 0 && second == 1)
		abort();
	return argument;
}

int main(void)
{
	pthread_t t;
	pthread_create(&t, 0, thread, 0);
	x = 1;
	y = 1;
	pthread_join(t, 0);
	return 0;
}
