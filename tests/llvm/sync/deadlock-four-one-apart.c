/* expect: violated
 * fault: deadlock
 * what: two threads wait for each other, a third for one of them, and main for nobody yet
 */
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;
static volatile int ticks;

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

static void *bystander(void *argument)
{
	pthread_mutex_lock(&m);
	pthread_mutex_unlock(&m);
	return argument;
}

int main(void)
{
	pthread_t a, b, c;
	pthread_create(&a, 0, forwards, 0);
	pthread_create(&b, 0, backwards, 0);
	pthread_create(&c, 0, bystander, 0);
	for (;;)
		ticks = 1 - ticks;
}
