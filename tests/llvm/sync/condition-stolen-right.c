/* expect: holds
 * what: the same with `while`
 */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int ready;

static void *waiter(void *argument)
{
	pthread_mutex_lock(&m);
	while (ready == 0)
		pthread_cond_wait(&c, &m);
	assert(ready > 0);
	ready--;
	pthread_mutex_unlock(&m);
	return argument;
}

static void *signaller(void *argument)
{
	for (int i = 0; i < 2; i++) {
		pthread_mutex_lock(&m);
		ready++;
		pthread_cond_broadcast(&c);
		pthread_mutex_unlock(&m);
	}
	return argument;
}

int main(void)
{
	pthread_t a, b, c;
	pthread_create(&a, 0, waiter, 0);
	pthread_create(&b, 0, waiter, 0);
	pthread_create(&c, 0, signaller, 0);
	pthread_join(a, 0);
	pthread_join(b, 0);
	pthread_join(c, 0);
	assert(ready == 0);
	return 0;
}
