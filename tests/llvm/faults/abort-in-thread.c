/* expect: violated
 * fault: abort
 * line: 15
 * what: a thread aborts when it sees something that cannot be
 */
#include <pthread.h>
#include <stdlib.h>

static volatile int x, y;

static void *thread(void *argument)
{
	int second = y, first = x;
	if (first == 1 && second == 0)
		abort(); /* here */
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
