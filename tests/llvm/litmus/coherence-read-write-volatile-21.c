/* expect: violated
 * fault: assertion
 * line: 32
 * what: a thread does not read its own later write; plain variables: it is possible that r1 is 2 and x is 1
 */
#include <assert.h>
#include <pthread.h>

static volatile int x;
static int r1;

static void *first(void *argument)
{
	r1 = x;
	x = 1;
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
	assert(!(r1 == 2 && x == 1)); /* here */
	return 0;
}
