/* expect: violated
 * fault: deadlock
 * what: an early return forgets to unlock
 */
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int value;

static void *thread(void *argument)
{
	pthread_mutex_lock(&m);
	if (value == 1)
		return argument;
	value++;
	pthread_mutex_unlock(&m);
	return argument;
}

int main(void)
{
	pthread_t a, b;
	pthread_create(&a, 0, thread, 0);
	pthread_create(&b, 0, thread, 0);
	pthread_join(a, 0);
	pthread_join(b, 0);
	pthread_mutex_lock(&m);
	value = 0;
	pthread_mutex_unlock(&m);
	return 0;
}
