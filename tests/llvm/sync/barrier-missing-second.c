/* expect: violated
 * fault: assertion
 * line: 18
 * what: one barrier between writing and reading, none between reading and writing again
 */
#include <assert.h>
#include <pthread.h>

static pthread_barrier_t barrier;
static volatile int value[2];

static void *thread(void *argument)
{
	int me = *(int *)argument;
	for (int i = 1; i <= 2; i++) {
		value[me] = i;
		pthread_barrier_wait(&barrier);
		assert(value[1 - me] == i); /* here */
	}
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
	pthread_barrier_destroy(&barrier);
	return 0;
}
