/* expect: violated
 * fault: deadlock
 * what: main joins a thread while it holds the mutex that the thread needs
 */
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *thread(void *argument)
{
	pthread_mutex_lock(&m);
	pthread_mutex_unlock(&m);
	return argument;
}

int main(void)
{
	pthread_t t;
	pthread_create(&t, 0, thread, 0);
	pthread_mutex_lock(&m);
	pthread_join(t, 0);
	pthread_mutex_unlock(&m);
	return 0;
}
