/* expect: holds
 * what: main returns: that ends all other threads, even one that would fail later
 */
#include <assert.h>
#include <pthread.h>

static volatile int go;

static void *thread(void *argument)
{
	while (!go)
		;
	assert(0);
	return argument;
}

int main(void)
{
	pthread_t t;
	pthread_create(&t, 0, thread, 0);
	return 0;
}
