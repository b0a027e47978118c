/* expect: violated
 * fault: assertion
 * line: 33
 * what: data is written before a flag, the flag is read before the data; plain variables: it is possible that r1 is 1 and r2 is 1
 */
#include <assert.h>
#include <pthread.h>

static volatile int x, y;
static int r1, r2;

static void *first(void *argument)
{
	x = 1;
	y = 1;
	return argument;
}

static void *second(void *argument)
{
	r1 = y;
	r2 = x;
	return argument;
}

int main(void)
{
	pthread_t a, b;
	pthread_create(&a, 0, first, 0);
	pthread_create(&b, 0, second, 0);
	pthread_join(a, 0);
	pthread_join(b, 0);
	assert(!(r1 == 1 && r2 == 1)); /* here */
	return 0;
}
