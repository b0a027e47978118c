/* expect: violated
 * fault: assertion
 * line: 26
 * what: an atomic read and an atomic write are no atomic increment
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;

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
	assert(x == 6); /* here */
	return 0;
}
