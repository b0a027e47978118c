/* expect: holds
 * what: a cancelled thread ends at its next cancellation point
 */
#include <assert.h>
#include <pthread.h>

static volatile int rounds;

static void *thread(void *argument)
{
	for (;;) {
		rounds = 1 - rounds;
		pthread_testcancel();
	}
	return argument;
}

int main(void)
{
	pthread_t t;
	void *result;
	pthread_create(&t, 0, thread, 0);
	pthread_cancel(t);
	pthread_join(t, &result);
	assert(result == PTHREAD_CANCELED);
	return 0;
}
