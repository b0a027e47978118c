/* expect: violated
 * fault: deadlock
 * what: a recursive mutex that was locked twice is unlocked once only
 */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m;

static void *thread(void *argument)
{
	pthread_mutex_lock(&m);
	pthread_mutex_unlock(&m);
	return argument;
}

int main(void)
{
	pthread_t t;
	pthread_mutexattr_t kind;
	pthread_mutexattr_init(&kind);
	pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_RECURSIVE);
	pthread_mutex_init(&m, &kind);
	pthread_mutex_lock(&m);
	pthread_mutex_lock(&m);
	pthread_mutex_unlock(&m);
	pthread_create(&t, 0, thread, 0);
	pthread_join(t, 0);
	pthread_mutex_unlock(&m);
	return 0;
}
