/* expect: violated
 * fault: assertion
 * line: 32
 * what: the time limit was over, but the program thinks that it was woken
 */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int ready;

static void *thread(void *argument)
{
	pthread_mutex_lock(&m);
	ready = 1;
	pthread_cond_signal(&c);
	pthread_mutex_unlock(&m);
	return argument;
}

int main(void)
{
	pthread_t t;
	struct timespec past = {0, 0};
	pthread_create(&t, 0, thread, 0);
	pthread_mutex_lock(&m);
	if (!ready)
		pthread_cond_timedwait(&c, &m, &past);
	assert(ready); /* here */
	pthread_mutex_unlock(&m);
	pthread_join(t, 0);
	return 0;
}
