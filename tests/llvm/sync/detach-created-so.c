/* expect: violated
 * fault: assertion
 * line: 25
 * what: nobody waits for a thread that was created detached
 */
#include <assert.h>
#include <pthread.h>

static volatile int x;

static void *thread(void *argument)
{
	x = 1;
	return argument;
}

int main(void)
{
	pthread_t t;
	pthread_attr_t detached;
	pthread_attr_init(&detached);
	pthread_attr_setdetachstate(&detached, PTHREAD_CREATE_DETACHED);
	pthread_create(&t, &detached, thread, 0);
	pthread_attr_destroy(&detached);
	assert(x == 1); /* here */
	return 0;
}
