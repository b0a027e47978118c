/* expect: holds
 * what: a lock with a time limit: got or not got, and used accordingly
 */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int inside;

static void *thread(void *argument)
{
	struct timespec past = {0, 0};
	int error = pthread_mutex_timedlock(&m, &past);
	if (error) {
		assert(error == ETIMEDOUT);
		return argument;
	}
	assert(++inside == 1);
	inside--;
	pthread_mutex_unlock(&m);
	return argument;
}

int main(void)
{
	pthread_t a, b;
	pthread_create(&a, 0, thread, 0);
	pthread_create(&b, 0, thread, 0);
	pthread_join(a, 0);
	pthread_join(b, 0);
	return 0;
}
