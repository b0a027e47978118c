/* expect: violated
 * fault: assertion
 * line: 16
 * what: the result of trylock is not looked at, but the mutex is not unlocked by the loser
 */
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int inside;

static void *thread(void *argument)
{
	int error = pthread_mutex_trylock(&m);
	assert(++inside == 1); /* here */
	inside--;
	if (!error)
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
	return 0;
}
