/* expect: violated
 * fault: misuse
 * line: 27
 * what: main destroys the mutex while the thread may hold it
 */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static volatile int inside;

static void *thread(void *argument)
{
	pthread_mutex_lock(&m);
	inside = 1;
	pthread_mutex_unlock(&m);
	inside = 2;
	return argument;
}

int main(void)
{
	pthread_t t;
	pthread_create(&t, 0, thread, 0);
	while (!inside)
		;
	pthread_mutex_destroy(&m); /* here */
	pthread_join(t, 0);
	return 0;
}
