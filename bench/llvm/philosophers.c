/* T philosophers eat N times each; the last one takes the other fork first. */
#include <assert.h>
#include <pthread.h>

#ifndef T
#define T 5
#endif
#ifndef N
#define N 1
#endif

static pthread_mutex_t forks[T];
static int eaten[T];

static void *philosopher(void *argument)
{
	int me = (int)((pthread_mutex_t *)argument - forks);
	int left = me, right = (me + 1) % T;
	int first = left < right ? left : right, second = left < right ? right : left;

	for (int i = 0; i < N; i++) {
		pthread_mutex_lock(&forks[first]);
		pthread_mutex_lock(&forks[second]);
		eaten[me]++;
		pthread_mutex_unlock(&forks[second]);
		pthread_mutex_unlock(&forks[first]);
	}
	return 0;
}

int main(void)
{
	pthread_t threads[T];

	for (int t = 0; t < T; t++)
		pthread_mutex_init(&forks[t], 0);
	for (int t = 0; t < T; t++)
		pthread_create(&threads[t], 0, philosopher, &forks[t]);
	for (int t = 0; t < T; t++)
		pthread_join(threads[t], 0);
	for (int t = 0; t < T; t++) {
		assert(eaten[t] == N);
		pthread_mutex_destroy(&forks[t]);
	}
	return 0;
}
