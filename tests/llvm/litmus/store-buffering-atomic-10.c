/* expect: violated
 * fault: assertion
 * line: 34
 * what: each thread writes one variable and reads the other; atomic variables: it is possible that r1 is 1 and r2 is 0
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y;
static int r1, r2;

static void *first(void *argument)
{
	atomic_store(&x, 1);
	r1 = atomic_load(&y);
	return argument;
}

static void *second(void *argument)
{
	atomic_store(&y, 1);
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
	assert(!(r1 == 1 && r2 == 0)); /* here */
	return 0;
}
