/* expect: holds
 * what: a write that is overwritten, against a read; plain variables: what sequential consistency forbids does not happen
 */
#include <assert.h>
#include <pthread.h>

static volatile int x, y;
static int r1;

static void *first(void *argument)
{
	x = 1;
	y = 1;
	return argument;
}

static void *second(void *argument)
{
	y = 2;
	r1 = x;
	return argument;
}

int main(void)
{
	pthread_t a, b;
	pthread_create(&a, 0, first, 0);
	pthread_create(&b, 0, second, 0);
	pthread_join(a, 0);
	pthread_join(b, 0);
	assert(!(r1 == 0 && y == 2));
	return 0;
}
