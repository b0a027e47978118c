/* expect: holds
 * what: a thread reads its own write or a later one; atomic variables: what sequential consistency forbids does not happen
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;
static int r1;

static void *first(void *argument)
{
	atomic_store(&x, 1);
	r1 = atomic_load(&x);
	return argument;
}

static void *second(void *argument)
{
	atomic_store(&x, 2);
	return argument;
}

int main(void)
{
	pthread_t a, b;
	pthread_create(&a, 0, first, 0);
	pthread_create(&b, 0, second, 0);
	pthread_join(a, 0);
	pthread_join(b, 0);
	assert(!(r1 == 0 && x == 1));
	assert(!(r1 == 0 && x == 2));
	assert(!(r1 == 2 && x == 1));
	return 0;
}
