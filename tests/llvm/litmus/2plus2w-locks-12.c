/* expect: violated
 * fault: assertion
 * line: 40
 * what: two threads write the same two variables in opposite orders; a lock around every access: it is possible that x is 1 and y is 2
 */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int x, y;

static void set(int *variable, int value)
{
	pthread_mutex_lock(&m);
	*variable = value;
	pthread_mutex_unlock(&m);
}

static void *first(void *argument)
{
	set(&x, 1);
	set(&y, 2);
	return argument;
}

static void *second(void *argument)
{
	set(&y, 1);
	set(&x, 2);
	return argument;
}

int main(void)
{
	pthread_t a, b;
	pthread_create(&a, 0, first, 0);
	pthread_create(&b, 0, second, 0);
	pthread_join(a, 0);
	pthread_join(b, 0);
	assert(!(x == 1 && y == 2)); /* here */
	return 0;
}
