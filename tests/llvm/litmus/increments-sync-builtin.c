/* expect: holds
 * what: the older __sync functions are atomic too
 */
#include <assert.h>
#include <pthread.h>

static int x;

static void *thread(void *argument)
{
	for (int i = 0; i < 3; i++)
		__sync_fetch_and_add(&x, 1);
	return argument;
}

int main(void)
{
	pthread_t a, b;
	pthread_create(&a, 0, thread, 0);
	pthread_create(&b, 0, thread, 0);
	pthread_join(a, 0);
	pthread_join(b, 0);
	assert(x == 6);
	return 0;
}
