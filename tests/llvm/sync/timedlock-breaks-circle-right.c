/* expect: holds
 * what: a wait with a time limit is no part of a deadlock
 */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

static pthread_mutex_t first = PTHREAD_MUTEX_INITIALIZER, second = PTHREAD_MUTEX_INITIALIZER;

static void *forwards(void *argument)
{
	pthread_mutex_lock(&first);
	pthread_mutex_lock(&second);
	pthread_mutex_unlock(&second);
	pthread_mutex_unlock(&first);
	return argument;
}

static void *backwards(void *argument)
{
	struct timespec past = {0, 0};
	pthread_mutex_lock(&second);
	if (pthread_mutex_timedlock(&first, &past) == 0)
		pthread_mutex_unlock(&first);
	pthread_mutex_unlock(&second);
	return argument;
}

int main(void)
{
	pthread_t a, b;
	pthread_create(&a, 0, forwards, 0);
	pthread_create(&b, 0, backwards, 0);
	pthread_join(a, 0);
	pthread_join(b, 0);
	return 0;
}
