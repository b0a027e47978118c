/* expect: holds
 * what: a thread waits for a mutex that main gave to somebody else: joining that thread closes no circle
 */
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static volatile int work;

static void *waits(void *argument)
{
	pthread_mutex_lock(&m);
	pthread_mutex_unlock(&m);
	return argument;
}

static void *works(void *argument)
{
	pthread_mutex_lock(&m);
	work = 1;
	pthread_mutex_unlock(&m);
	return argument;
}

int main(void)
{
	pthread_t a, b;
	pthread_mutex_lock(&m);
	pthread_create(&a, 0, waits, 0);
	pthread_create(&b, 0, works, 0);
	pthread_mutex_unlock(&m);
	pthread_join(a, 0);
	pthread_join(b, 0);
	return 0;
}
