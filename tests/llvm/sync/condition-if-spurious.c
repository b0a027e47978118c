/* expect: violated
 * fault: assertion
 * line: 18
 * what: a wait may end by itself: `if` is not enough
 */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int ready;

static void *waiter(void *argument)
{
	pthread_mutex_lock(&m);
	if (!ready)
		pthread_cond_wait(&c, &m);
	assert(ready); /* here */
	pthread_mutex_unlock(&m);
	return argument;
}

static void *signaller(void *argument)
{
	pthread_mutex_lock(&m);
	ready = 1;
	pthread_cond_signal(&c);
	pthread_mutex_unlock(&m);
	return argument;
}

int main(void)
{
	pthread_t a, b;
	pthread_create(&a, 0, waiter, 0);
	pthread_create(&b, 0, signaller, 0);
	pthread_join(a, 0);
	pthread_join(b, 0);
	return 0;
}
