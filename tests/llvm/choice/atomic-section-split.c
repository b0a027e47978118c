/* expect: violated
 * fault: assertion
 * line: 30
 * what: two atomic sections are not one
 */
#include <assert.h>
#include <pthread.h>
#include "auspex.h"

static volatile int counter;

static void *thread(void *argument)
{
	__auspex_atomic_begin();
	int old = counter;
	__auspex_atomic_end();
	__auspex_atomic_begin();
	counter = old + 1;
	__auspex_atomic_end();
	return argument;
}

int main(void)
{
	pthread_t a, b;
	pthread_create(&a, 0, thread, 0);
	pthread_create(&b, 0, thread, 0);
	pthread_join(a, 0);
	pthread_join(b, 0);
	assert(counter == 2); /* here */
	return 0;
}
