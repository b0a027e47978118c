/* expect: holds
 * what: each thread reads one variable and writes the other; plain variables: what sequential consistency forbids does not happen
 */
#include <assert.h>
#include <pthread.h>

static volatile int x, y;
static int r1, r2;

static void *first(void *argument)
{
	r1 = x;
	y = 1;
	return argument;
}

static void *second(void *argument)
{
	r2 = y;
	x = 1;
	return argument;
}

int main(void)
{
	pthread_t a, b;
	pthread_create(&a, 0, first, 0);
	pthread_create(&b, 0, second, 0);
	pthread_join(a, 0);
	pthread_join(b, 0);
	assert(!(r1 == 1 && r2 == 1));
	return 0;
}
