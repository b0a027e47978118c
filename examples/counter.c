/* expect: holds
 * what: Two threads count together under a mutex: no increment is lost.
 */
#include <assert.h>
#include <pthread.h>

/* The same as counter_broken.c, but only one thread at a time may hold the mutex. Whoever
 * comes second waits in pthread_mutex_lock until the first has written its number back. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int counter;

static void *count(void *unused)
{
	(void)unused;
	pthread_mutex_lock(&lock);
	counter++;
	pthread_mutex_unlock(&lock);
	return 0;
}

int main(void)
{
	pthread_t first, second;

	pthread_create(&first, 0, count, 0);
	pthread_create(&second, 0, count, 0);
	pthread_join(first, 0);
	pthread_join(second, 0);

	assert(counter == 2);
	return 0;
}
