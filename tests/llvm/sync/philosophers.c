/* expect: violated
 * fault: deadlock
 * what: every philosopher takes the left fork first
 */
#include <pthread.h>

#define N 3

static pthread_mutex_t forks[N];

static void *philosopher(void *argument)
{
	int me = (int)((pthread_mutex_t *)argument - forks);
	int first = me, second = (me + 1) % N;
	pthread_mutex_lock(&forks[first]);
	pthread_mutex_lock(&forks[second]);
	pthread_mutex_unlock(&forks[second]);
	pthread_mutex_unlock(&forks[first]);
	return 0;
}

int main(void)
{
	pthread_t threads[N];
	for (int i = 0; i < N; i++)
		pthread_mutex_init(&forks[i], 0);
	for (int i = 0; i < N; i++)
		pthread_create(&threads[i], 0, philosopher, &forks[i]);
	for (int i = 0; i < N; i++)
		pthread_join(threads[i], 0);
	for (int i = 0; i < N; i++)
		pthread_mutex_destroy(&forks[i]);
	return 0;
}
