/* expect: holds
 * what: the function is called after the mutex was unlocked
 */
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void inner(void)
{
	pthread_mutex_lock(&m);
	pthread_mutex_unlock(&m);
}

int main(void)
{
	pthread_mutex_lock(&m);
	pthread_mutex_unlock(&m);
	inner();
	return 0;
}
