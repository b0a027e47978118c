/* expect: violated
 * fault: deadlock
 * what: two workers, but only one of them is told that there is no more work
 */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t work = PTHREAD_COND_INITIALIZER;
static int tasks, closed, done;

static void *worker(void *argument)
{
	pthread_mutex_lock(&m);
	for (;;) {
		while (!tasks && !closed)
			pthread_cond_wait(&work, &m);
		if (!tasks)
			break;
		tasks--;
		done++;
	}
	pthread_mutex_unlock(&m);
	return argument;
}

int main(void)
{
	pthread_t a, b;
	pthread_create(&a, 0, worker, 0);
	pthread_create(&b, 0, worker, 0);
	pthread_mutex_lock(&m);
	tasks++;
	pthread_cond_signal(&work);
	pthread_mutex_unlock(&m);
	pthread_mutex_lock(&m);
	closed = 1;
	pthread_cond_signal(&work);
	pthread_mutex_unlock(&m);
	pthread_join(a, 0);
	pthread_join(b, 0);
	assert(done == 1);
	return 0;
}
