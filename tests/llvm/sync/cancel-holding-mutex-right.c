/* expect: holds
 * what: a clean-up handler unlocks the mutex of a cancelled thread
 */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void unlock(void *mutex)
{
	pthread_mutex_unlock(mutex);
}

static void *thread(void *argument)
{
	pthread_mutex_lock(&m);
	pthread_cleanup_push(unlock, &m);
	pthread_testcancel();
	pthread_cleanup_pop(1);
	return argument;
}

int main(void)
{
	pthread_t t;
	pthread_create(&t, 0, thread, 0);
	pthread_cancel(t);
	pthread_join(t, 0);
	pthread_mutex_lock(&m);
	pthread_mutex_unlock(&m);
	return 0;
}
