/* expect: violated
 * fault: deadlock
 * what: a circle of three threads and three mutexes
 */
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER, o = PTHREAD_MUTEX_INITIALIZER;

static void *first(void *argument)
{
	pthread_mutex_lock(&m);
	pthread_mutex_lock(&n);
	pthread_mutex_unlock(&n);
	pthread_mutex_unlock(&m);
	return argument;
}

static void *second(void *argument)
{
	pthread_mutex_lock(&n);
	pthread_mutex_lock(&o);
	pthread_mutex_unlock(&o);
	pthread_mutex_unlock(&n);
	return argument;
}

static void *third(void *argument)
{
	pthread_mutex_lock(&o);
	pthread_mutex_lock(&m);
	pthread_mutex_unlock(&m);
	pthread_mutex_unlock(&o);
	return argument;
}

int main(void)
{
	pthread_t a, b, c;
	pthread_create(&a, 0, first, 0);
	pthread_create(&b, 0, second, 0);
	pthread_create(&c, 0, third, 0);
	pthread_join(a, 0);
	pthread_join(b, 0);
	pthread_join(c, 0);
	return 0;
}
