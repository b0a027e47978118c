/* expect: holds
 * what: two writers, and two readers that read in opposite orders; atomic variables: what sequential consistency forbids does not happen
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y;
static int r1, r2, r3, r4;

static void *first(void *argument)
{
	atomic_store(&x, 1);
	return argument;
}

static void *second(void *argument)
{
	atomic_store(&y, 1);
	return argument;
}

static void *third(void *argument)
{
	r1 = atomic_load(&x);
	r2 = atomic_load(&y);
	return argument;
}

static void *fourth(void *argument)
{
	r3 = atomic_load(&y);
	r4 = atomic_load(&x);
	return argument;
}

int main(void)
{
	pthread_t a, b, c;
	pthread_create(&a, 0, first, 0);
	pthread_create(&b, 0, second, 0);
	pthread_create(&c, 0, third, 0);
	fourth(0);
	pthread_join(a, 0);
	pthread_join(b, 0);
	pthread_join(c, 0);
	assert(!(r1 == 1 && r2 == 0 && r3 == 1 && r4 == 0));
	return 0;
}
