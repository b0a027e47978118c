/* expect: violated
 * fault: deadlock
 * what: two threads wait for each other while main runs on for ever
 */
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;

static volatile int stop;

static void *forwards(void *argument)
{
	pthread_mutex_lock(&m);
	pthread_mutex_lock(&n);
	pthread_mutex_unlock(&n);
	pthread_mutex_unlock(&m);
	return argument;
}

static void *backwards(void *argument)
{
	pthread_mutex_lock(&n);
	pthread_mutex_lock(&m);
	pthread_mutex_unlock(&m);
	pthread_mutex_unlock(&n);
	return argument;
}

int main(void)
{
	pthread_t a, b;
	pthread_create(&a, 0, forwards, 0);
	pthread_create(&b, 0, backwards, 0);
	while (!stop)
		;
	pthread_join(a, 0);
	pthread_join(b, 0);
	return 0;
}
