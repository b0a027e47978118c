/* expect: holds
 * what: whoever does not get the mutex at once leaves it alone
 */
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int inside, entered;

static void *thread(void *argument)
{
	int error = pthread_mutex_trylock(&m);
	if (error) {
		assert(error == EBUSY);
		return argument;
	}
	assert(++inside == 1);
	inside--;
	entered++;
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
	assert(entered == 1 || entered == 2);
	return 0;
}
