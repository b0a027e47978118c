/* expect: holds
 * what: a mutex that checks for errors says so instead of stopping for ever
 */
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_mutex_t m;

static void *thread(void *argument)
{
	assert(pthread_mutex_unlock(&m) == EPERM);
	assert(pthread_mutex_trylock(&m) == EBUSY);
	return argument;
}

int main(void)
{
	pthread_t t;
	pthread_mutexattr_t kind;
	pthread_mutexattr_init(&kind);
	pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_ERRORCHECK);
	pthread_mutex_init(&m, &kind);
	pthread_mutexattr_destroy(&kind);
	assert(pthread_mutex_lock(&m) == 0);
	assert(pthread_mutex_lock(&m) == EDEADLK);
	pthread_create(&t, 0, thread, 0);
	pthread_join(t, 0);
	assert(pthread_mutex_unlock(&m) == 0);
	assert(pthread_mutex_unlock(&m) == EPERM);
	pthread_mutex_destroy(&m);
	return 0;
}
