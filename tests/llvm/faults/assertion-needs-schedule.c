/* expect: violated
 * fault: assertion
 * line: 23
 * what: wrong only when the other thread comes in between two reads
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
	pthread_create(&t, 0, thread, 0);
	int first = x;
	int second = x;
	assert(first == second); /* here */
	pthread_join(t, 0);
	return 0;
}
