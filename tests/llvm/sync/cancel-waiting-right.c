/* expect: holds
 * what: a thread that waits for a condition is cancelled; it holds the mutex again in its clean-up handler
 */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int never, cleaned;

static void unlock(void *mutex)
{
	cleaned++;
	pthread_mutex_unlock(mutex);
}

static void *thread(void *argument)
{
	pthread_mutex_lock(&m);
	pthread_cleanup_push(unlock, &m);
	while (!never)
		pthread_cond_wait(&c, &m);
	pthread_cleanup_pop(1);
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
	pthread_mutex_lock(&m);
	assert(cleaned == 1);
	pthread_mutex_unlock(&m);
	return 0;
}
