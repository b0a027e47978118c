/* expect: holds
 * what: two reads of the same variable do not go back in time; atomic variables: what sequential consistency forbids does not happen
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;
static int r1, r2;

static void *first(void *argument)
{
	atomic_store(&x, 1);
	atomic_store(&x, 2);
	return argument;
}

static void *second(void *argument)
{
	r1 = atomic_load(&x);
	r2 = atomic_load(&x);
	return argument;
}

int main(void)
{
	pthread_t a, b;
	pthread_create(&a, 0, first, 0);
	pthread_create(&b, 0, second, 0);
	pthread_join(a, 0);
	pthread_join(b, 0);
	assert(!(r1 == 1 && r2 == 0));
	assert(!(r1 == 2 && r2 == 0));
	assert(!(r1 == 2 && r2 == 1));
	return 0;
}
