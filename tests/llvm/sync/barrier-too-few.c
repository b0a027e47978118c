/* expect: violated
 * fault: deadlock
 * what: a barrier for three, and only two come
 */
#include <assert.h>
#include <pthread.h>

static pthread_barrier_t barrier;

static void *thread(void *argument)
{
	pthread_barrier_wait(&barrier);
	return argument;
}

int main(void)
{
	pthread_t a, b;
	pthread_barrier_init(&barrier, 0, 3);
	pthread_create(&a, 0, thread, 0);
	pthread_create(&b, 0, thread, 0);
	pthread_join(a, 0);
	pthread_join(b, 0);
	return 0;
}
