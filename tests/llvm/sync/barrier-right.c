/* expect: holds
 * what: after the barrier everybody sees what all did before it; one of them is told that it was the last
 */
#include <assert.h>
#include <pthread.h>

static pthread_barrier_t barrier;
static volatile int before[2];
static volatile int serial[2];

static void *thread(void *argument)
{
	int me = *(int *)argument;
	before[me] = 1;
	int result = pthread_barrier_wait(&barrier);
	assert(before[1 - me] == 1);
	assert(result == 0 || result == PTHREAD_BARRIER_SERIAL_THREAD);
	serial[me] = result != 0;
	return 0;
}

int main(void)
{
	pthread_t a, b;
	int zero = 0, one = 1;
	pthread_barrier_init(&barrier, 0, 2);
	pthread_create(&a, 0, thread, &zero);
	pthread_create(&b, 0, thread, &one);
	pthread_join(a, 0);
	pthread_join(b, 0);
	assert(serial[0] + serial[1] == 1);
	pthread_barrier_destroy(&barrier);
	return 0;
}
