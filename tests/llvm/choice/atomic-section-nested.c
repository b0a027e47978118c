/* expect: holds
 * what: atomic sections inside each other: only the outermost end counts
 */
#include <assert.h>
#include <pthread.h>
#include "auspex.h"

static volatile int x, y;

static void *thread(void *argument)
{
	__auspex_atomic_begin();
	x = 1;
	__auspex_atomic_begin();
	x = 2;
	__auspex_atomic_end();
	y = 2;
	__auspex_atomic_end();
	return argument;
}

int main(void)
{
	pthread_t t;
	pthread_create(&t, 0, thread, 0);
	__auspex_atomic_begin();
	assert(x == y && x != 1);
	__auspex_atomic_end();
	pthread_join(t, 0);
	return 0;
}
