/* expect: holds
 * what: the same barrier again and again: nobody is ever more than one round ahead
 */
#include <assert.h>
#include <pthread.h>

static pthread_barrier_t barrier;
static volatile int round_of[2];

static void *thread(void *argument)
{
	int me = *(int *)argument;
	for (int i = 0; i < 2; i++) {
		round_of[me] = i;
		pthread_barrier_wait(&barrier);
		assert(round_of[1 - me] == i || round_of[1 - me] == i + 1);
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
