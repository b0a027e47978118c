/* expect: holds
 * what: cancelling a thread that may have ended already: its own result or the mark of the cancelled
 */
#include <assert.h>
#include <pthread.h>

static void *thread(void *argument)
{
	pthread_testcancel();
	return argument;
}

int main(void)
{
	pthread_t t;
	void *result;
	int object;
	pthread_create(&t, 0, thread, &object);
	pthread_cancel(t);
	pthread_join(t, &result);
	assert(result == &object || result == PTHREAD_CANCELED);
	return 0;
}
