/* expect: holds
 * what: data is written before a flag, the flag is read before the data; atomic variables: what sequential consistency forbids does not happen
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y;
static int r1, r2;

static void *first(void *argument)
{
	atomic_store(&x, 1);
	atomic_store(&y, 1);
	return argument;
}

static void *second(void *argument)
{
	r1 = atomic_load(&y);
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
	return 0;
}
