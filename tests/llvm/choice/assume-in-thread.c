/* expect: holds
 * what: an assumption in a thread: runs where the other thread was late are not looked at
 */
#include <assert.h>
#include <pthread.h>
#include "auspex.h"

static volatile int ready, data;

static void *thread(void *argument)
{
	__auspex_assume(ready);
	assert(data == 1);
	return argument;
}

int main(void)
{
	pthread_t t;
	pthread_create(&t, 0, thread, 0);
	data = 1;
	ready = 1;
	pthread_join(t, 0);
	return 0;
}
