/* expect: violated
 * fault: misuse
 * line: 12
 * what: a thread unlocks the mutex of another one
 */
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *thread(void *argument)
{
	pthread_mutex_unlock(&m); /* here */
	return argument;
}

int main(void)
{
	pthread_t t;
	pthread_mutex_lock(&m);
	pthread_create(&t, 0, thread, 0);
	pthread_join(t, 0);
	return 0;
}
