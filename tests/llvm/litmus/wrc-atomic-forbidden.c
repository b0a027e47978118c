/* expect: holds
 * what: write to read causality over a third thread; atomic variables: what sequential consistency forbids does not happen
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y;
static int r1, r2, r3;

static void *first(void *argument)
{
	atomic_store(&x, 1);
	return argument;
}

static void *second(void *argument)
{
	r1 = atomic_load(&x);
	atomic_store(&y, 1);
	return argument;
}

static void *third(void *argument)
{
	r2 = atomic_load(&y);
	r3 = atomic_load(&x);
	return argument;
}

int main(void)
{
	pthread_t a, b, c;
	pthread_create(&a, 0, first, 0);
	pthread_create(&b, 0, second, 0);
	pthread_create(&c, 0, third, 0);
	pthread_join(a, 0);
	pthread_join(b, 0);
	pthread_join(c, 0);
	assert(!(r1 == 1 && r2 == 1 && r3 == 0));
	return 0;
}
