/* expect: holds
 * what: pthread_self and pthread_equal
 */
#include <assert.h>
#include <pthread.h>

static pthread_t seen;

static void *thread(void *argument)
{
	seen = pthread_self();
	return argument;
}

int main(void)
{
	pthread_t t;
	pthread_create(&t, 0, thread, 0);
	assert(!pthread_equal(t, pthread_self()));
	pthread_join(t, 0);
	assert(pthread_equal(t, seen));
	assert(pthread_equal(pthread_self(), pthread_self()));
	return 0;
}
