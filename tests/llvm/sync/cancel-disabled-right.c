/* expect: holds
 * what: with cancellation switched off the thread ends by itself
 */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static void *thread(void *argument)
{
	int old;
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &old);
	sem_post(argument);
	pthread_testcancel();
	return argument;
}

int main(void)
{
	pthread_t t;
	void *result;
	sem_t disabled;
	sem_init(&disabled, 0, 0);
	pthread_create(&t, 0, thread, &disabled);
	sem_wait(&disabled);
	pthread_cancel(t);
	pthread_join(t, &result);
	assert(result == &disabled);
	sem_destroy(&disabled);
	return 0;
}
