/* expect: holds
 * what: every thread has its own errno
 */
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static void *thread(void *argument)
{
	assert(errno == 0);
	errno = ENOMEM;
	assert(errno == ENOMEM);
	return argument;
}

int main(void)
{
	pthread_t t;
	errno = EINVAL;
	pthread_create(&t, 0, thread, 0);
	pthread_join(t, 0);
	assert(errno == EINVAL);
	return 0;
}
