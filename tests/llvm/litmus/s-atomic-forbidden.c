/* expect: holds
 * what: a write after a read, against an earlier write; atomic variables: what sequential consistency forbids does not happen
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y;
static int r1;

static void *first(void *argument)
{
	atomic_store(&x, 2);
	atomic_store(&y, 1);
	return argument;
}

static void *second(void *argument)
{
	r1 = atomic_load(&y);
	atomic_store(&x, 1);
	return argument;
}

int main(void)
{
	pthread_t a, b;
	pthread_create(&a, 0, first, 0);
	pthread_create(&b, 0, second, 0);
	pthread_join(a, 0);
	pthread_join(b, 0);
	assert(!(r1 == 1 && x == 2));
	return 0;
}
