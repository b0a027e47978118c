/* expect: violated
 * fault: assertion
 * line: 33
 * what: each thread reads one variable and writes the other; plain variables: it is possible that r1 is 0 and r2 is 0
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
	assert(!(r1 == 0 && r2 == 0)); /* here */
	return 0;
}
