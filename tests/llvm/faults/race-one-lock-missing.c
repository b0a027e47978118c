/* expect: violated
 * fault: race
 * flags: --check race
 * what: one of the two threads forgets the mutex
 */
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int x;

static void *careful(void *argument)
{
	pthread_mutex_lock(&m);
	x = 1;
	pthread_mutex_unlock(&m);
	return argument;
}

static void *careless(void *argument)
{
	x = 2;
	return argument;
}

int main(void)
{
	pthread_t a, b;
	pthread_create(&a, 0, careful, 0);
	pthread_create(&b, 0, careless, 0);
	pthread_join(a, 0);
	pthread_join(b, 0);
	return 0;
}
