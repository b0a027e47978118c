/* expect: violated
 * fault: assertion
 * line: 14
 * what: main leaves with pthread_exit: the other thread runs on
 */
#include <assert.h>
#include <pthread.h>

static volatile int x;

static void *thread(void *argument)
{
	x = 1;
	assert(x == 0); /* here */
	return argument;
}

int main(void)
{
	pthread_t t;
	pthread_create(&t, 0, thread, 0);
	pthread_exit(0);
}
