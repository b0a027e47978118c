/* expect: violated
 * fault: assertion
 * line: 41
 * what: write to read causality over a third thread; plain variables: it is possible that r1 is 1 and r2 is 0 and r3 is 1
 */
#include <assert.h>
#include <pthread.h>

static volatile int x, y;
static int r1, r2, r3;

static void *first(void *argument)
{
	x = 1;
	return argument;
}

static void *second(void *argument)
{
	r1 = x;
	y = 1;
	return argument;
}

static void *third(void *argument)
{
	r2 = y;
	r3 = x;
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
	assert(!(r1 == 1 && r2 == 0 && r3 == 1)); /* here */
	return 0;
}
