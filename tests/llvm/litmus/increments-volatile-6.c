/* expect: violated
 * fault: assertion
 * line: 25
 * what: two threads increment three times each with reads and writes: 6 can come out
 */
#include <assert.h>
#include <pthread.h>

static volatile int x;

static void *thread(void *argument)
{
	for (int i = 0; i < 3; i++)
		x = x + 1;
	return argument;
}

int main(void)
{
	pthread_t a, b;
	pthread_create(&a, 0, thread, 0);
	pthread_create(&b, 0, thread, 0);
	pthread_join(a, 0);
	pthread_join(b, 0);
	assert(x != 6); /* here */
	return 0;
}
