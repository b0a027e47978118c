/* expect: violated
 * fault: assertion
 * line: 29
 * what: trylock can fail: it is not true that both threads enter
 */
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int entered;

static void *thread(void *argument)
{
	if (pthread_mutex_trylock(&m) == 0) {
		entered++;
		pthread_mutex_unlock(&m);
	}
	return argument;
}

int main(void)
{
	pthread_t a, b;
	pthread_create(&a, 0, thread, 0);
	pthread_create(&b, 0, thread, 0);
	pthread_join(a, 0);
	pthread_join(b, 0);
	assert(entered == 2); /* here */
	return 0;
}
