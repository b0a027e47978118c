/* expect: holds
 * what: pthread_once runs the function once, and everybody returns after it has ended
 */
#include <assert.h>
#include <pthread.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static volatile int calls, finished;

static void initialise(void)
{
	calls++;
	finished = 1;
}

static void *thread(void *argument)
{
	pthread_once(&once, initialise);
	assert(finished && calls == 1);
	return argument;
}

int main(void)
{
	pthread_t a, b;
	pthread_create(&a, 0, thread, 0);
	pthread_create(&b, 0, thread, 0);
	pthread_join(a, 0);
	pthread_join(b, 0);
	assert(calls == 1);
	return 0;
}
