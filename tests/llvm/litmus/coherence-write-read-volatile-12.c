/* expect: violated
 * fault: assertion
 * line: 32
 * what: a thread reads its own write or a later one; plain variables: it is possible that r1 is 1 and x is 2
 */
#include <assert.h>
#include <pthread.h>

static volatile int x;
static int r1;

static void *first(void *argument)
{
	x = 1;
	r1 = x;
	return argument;
}

static void *second(void *argument)
{
	x = 2;
	return argument;
}

int main(void)
{
	pthread_t a, b;
	pthread_create(&a, 0, first, 0);
	pthread_create(&b, 0, second, 0);
	pthread_join(a, 0);
	pthread_join(b, 0);
	assert(!(r1 == 1 && x == 2)); /* here */
	return 0;
}
