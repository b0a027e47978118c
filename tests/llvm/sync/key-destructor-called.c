/* expect: violated
 * fault: assertion
 * line: 30
 * what: the destructor runs when the thread ends, with the value of that thread
 */
#include <assert.h>
#include <pthread.h>

static pthread_key_t key;
static int seen;

static void destroy(void *value)
{
	seen = *(int *)value;
}

static void *thread(void *argument)
{
	pthread_setspecific(key, argument);
	return 0;
}

int main(void)
{
	pthread_t t;
	int number = 6;
	pthread_key_create(&key, destroy);
	pthread_create(&t, 0, thread, &number);
	pthread_join(t, 0);
	assert(seen == 0); /* here */
	return 0;
}
