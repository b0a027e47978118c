/* expect: violated
 * fault: deadlock
 * what: three threads join each other in a circle
 */
#include <pthread.h>

static pthread_t a, b, c;

static void *first(void *argument)
{
	pthread_join(b, 0);
	return argument;
}

static void *second(void *argument)
{
	pthread_join(c, 0);
	return argument;
}

static void *third(void *argument)
{
	pthread_join(a, 0);
	return argument;
}

static pthread_mutex_t start = PTHREAD_MUTEX_INITIALIZER;

static void *run(void *argument)
{
	pthread_mutex_lock(&start);
	pthread_mutex_unlock(&start);
	return ((void *(**)(void *))argument)[0](0);
}

int main(void)
{
	static void *(*functions[3])(void *) = {first, second, third};
	pthread_mutex_lock(&start);
	pthread_create(&a, 0, run, &functions[0]);
	pthread_create(&b, 0, run, &functions[1]);
	pthread_create(&c, 0, run, &functions[2]);
	pthread_mutex_unlock(&start);
	pthread_exit(0);
}
