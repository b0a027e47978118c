/* expect: holds
 * what: main unlocks before it joins
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
	pthread_mutex_unlock(&m);
	pthread_join(t, 0);
	return 0;
}
