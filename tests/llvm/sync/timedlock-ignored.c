/* expect: violated
 * fault: assertion
 * line: 18
 * what: a lock with a time limit may not have been got
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
	assert(error == 0); /* here */
	inside++;
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
