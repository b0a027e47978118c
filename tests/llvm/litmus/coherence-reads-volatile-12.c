/* expect: violated
 * fault: assertion
 * line: 33
 * what: two reads of the same variable do not go back in time; plain variables: it is possible that r1 is 1 and r2 is 2
 */
#include <assert.h>
#include <pthread.h>

static volatile int x;
static int r1, r2;

static void *first(void *argument)
{
	x = 1;
	x = 2;
	return argument;
}

static void *second(void *argument)
{
	r1 = x;
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
	assert(!(r1 == 1 && r2 == 2)); /* here */
	return 0;
}
