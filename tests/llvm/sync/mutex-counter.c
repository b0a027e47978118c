/* expect: violated
 * fault: assertion
 * line: 30
 * what: a counter, read under the mutex but written after it
 */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int counter;

static void *thread(void *argument)
{
	for (int i = 0; i < 2; i++) {
		pthread_mutex_lock(&m);
		int old = counter;
		pthread_mutex_unlock(&m);
		counter = old + 1;
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
	assert(counter == 4); /* here */
	return 0;
}
