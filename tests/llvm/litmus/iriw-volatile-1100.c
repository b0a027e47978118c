/* expect: violated
 * fault: assertion
 * line: 48
 * what: two writers, and two readers that read in opposite orders; plain variables: it is possible that r1 is 1 and r2 is 1 and r3 is 0 and r4 is 0
 */
#include <assert.h>
#include <pthread.h>

static volatile int x, y;
static int r1, r2, r3, r4;

static void *first(void *argument)
{
	x = 1;
	return argument;
}

static void *second(void *argument)
{
	y = 1;
	return argument;
}

static void *third(void *argument)
{
	r1 = x;
	r2 = y;
	return argument;
}

static void *fourth(void *argument)
{
	r3 = y;
	r4 = x;
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
	assert(!(r1 == 1 && r2 == 1 && r3 == 0 && r4 == 0)); /* here */
	return 0;
}
