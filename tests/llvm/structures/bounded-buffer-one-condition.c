/* expect: violated
 * fault: deadlock
 * what: one condition for both: the signal of a consumer may wake the other consumer
 */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int full, sum;

static void *consumer(void *argument)
{
	pthread_mutex_lock(&m);
	while (!full)
		pthread_cond_wait(&changed, &m);
	sum += full;
	full = 0;
	pthread_cond_signal(&changed);
	pthread_mutex_unlock(&m);
	return argument;
}

int main(void)
{
	pthread_t a, b;
	pthread_create(&a, 0, consumer, 0);
	pthread_create(&b, 0, consumer, 0);
	for (int i = 1; i <= 2; i++) {
		pthread_mutex_lock(&m);
		while (full)
			pthread_cond_wait(&changed, &m);
		full = i;
		pthread_cond_signal(&changed);
		pthread_mutex_unlock(&m);
	}
	pthread_join(a, 0);
	pthread_join(b, 0);
	assert(sum == 3);
	return 0;
}
