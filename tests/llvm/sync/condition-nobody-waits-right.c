/* expect: holds
 * what: a signal to a condition that nobody waits for is lost without harm
 */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t nobody = PTHREAD_COND_INITIALIZER, c = PTHREAD_COND_INITIALIZER;
static int ready;

static void *thread(void *argument)
{
	pthread_mutex_lock(&m);
	ready = 1;
	pthread_cond_signal(&nobody);
	pthread_cond_broadcast(&nobody);
	pthread_cond_signal(&c);
	pthread_mutex_unlock(&m);
	return argument;
}

int main(void)
{
	pthread_t t;
	pthread_create(&t, 0, thread, 0);
	pthread_mutex_lock(&m);
	while (!ready)
		pthread_cond_wait(&c, &m);
	pthread_mutex_unlock(&m);
	pthread_join(t, 0);
	assert(ready);
	pthread_cond_destroy(&nobody);
	pthread_cond_destroy(&c);
	return 0;
}
