/* A thread pool: T workers wait for N tasks under a mutex and a condition variable. */
#include <assert.h>
#include <pthread.h>

#ifndef T
#define T 4
#endif
#ifndef N
#define N 6
#endif

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int tasks, closed, done;

static void *worker(void *unused)
{
	(void)unused;
	pthread_mutex_lock(&lock);
	for (;;) {
		while (!tasks && !closed)
			pthread_cond_wait(&changed, &lock);
		if (!tasks)
			break;
		tasks--;
		pthread_mutex_unlock(&lock);
		/* here the task would be done */
		pthread_mutex_lock(&lock);
		done++;
	}
	pthread_mutex_unlock(&lock);
	return 0;
}

int main(void)
{
	pthread_t threads[T];

	for (int t = 0; t < T; t++)
		pthread_create(&threads[t], 0, worker, 0);
	for (int i = 0; i < N; i++) {
		pthread_mutex_lock(&lock);
		tasks++;
		pthread_cond_signal(&changed);
		pthread_mutex_unlock(&lock);
	}
	pthread_mutex_lock(&lock);
	closed = 1;
	pthread_cond_broadcast(&changed);
	pthread_mutex_unlock(&lock);
	for (int t = 0; t < T; t++)
		pthread_join(threads[t], 0);
	assert(done == N);
	return 0;
}
