/* expect: violated
 * fault: assertion
 * line: 32
 * what: two threads write the same two variables in opposite orders; plain variables: it is possible that x is 2 and y is 1
 */
#include <assert.h>
#include <pthread.h>

static volatile int x, y;

static void *first(void *argument)
{
	x = 1;
	y = 2;
	return argument;
}

static void *second(void *argument)
{
	y = 1;
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
	assert(!(x == 2 && y == 1)); /* here */
	return 0;
}
