/* expect: holds
 * what: two threads write the same two variables in opposite orders; atomic variables: what sequential consistency forbids does not happen
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y;

static void *first(void *argument)
{
	atomic_store(&x, 1);
	atomic_store(&y, 2);
	return argument;
}

static void *second(void *argument)
{
	atomic_store(&y, 1);
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
	assert(!(x == 1 && y == 1));
	return 0;
}
