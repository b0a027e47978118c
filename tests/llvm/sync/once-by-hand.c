/* expect: violated
 * fault: assertion
 * line: 17
 * what: once by hand, but the flag is set before the work is done
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_flag started = ATOMIC_FLAG_INIT;
static volatile int finished;

static void *thread(void *argument)
{
	if (!atomic_flag_test_and_set(&started))
		finished = 1;
	assert(finished); /* here */
	return argument;
}

int main(void)
{
	pthread_t a, b;
	pthread_create(&a, 0, thread, 0);
	pthread_create(&b, 0, thread, 0);
	pthread_join(a, 0);
	pthread_join(b, 0);
	return 0;
}
