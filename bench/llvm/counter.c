/* T threads count to N each under a mutex. */
#include <assert.h>
#include <pthread.h>

#ifndef T
#define T 5
#endif
#ifndef N
#define N 2
#endif

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int counter;

static void *count(void *unused)
{
	(void)unused;
	for (int i = 0; i < N; i++) {
		pthread_mutex_lock(&lock);
		counter++;
		pthread_mutex_unlock(&lock);
	}
	return 0;
}

int main(void)
{
	pthread_t threads[T];

	for (int t = 0; t < T; t++)
		pthread_create(&threads[t], 0, count, 0);
	for (int t = 0; t < T; t++)
		pthread_join(threads[t], 0);
	assert(counter == T * N);
	return 0;
}
