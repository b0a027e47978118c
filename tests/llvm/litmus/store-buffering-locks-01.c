/* expect: violated
 * fault: assertion
 * line: 49
 * what: each thread writes one variable and reads the other; a lock around every access: it is possible that r1 is 0 and r2 is 1
 */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int x, y;
static int r1, r2;

static void set(int *variable, int value)
{
	pthread_mutex_lock(&m);
	*variable = value;
	pthread_mutex_unlock(&m);
}

static int get(int *variable)
{
	pthread_mutex_lock(&m);
	int value = *variable;
	pthread_mutex_unlock(&m);
	return value;
}

static void *first(void *argument)
{
	set(&x, 1);
	r1 = get(&y);
	return argument;
}

static void *second(void *argument)
{
	set(&y, 1);
	r2 = get(&x);
	return argument;
}

int main(void)
{
	pthread_t a, b;
	pthread_create(&a, 0, first, 0);
	pthread_create(&b, 0, second, 0);
	pthread_join(a, 0);
	pthread_join(b, 0);
	assert(!(r1 == 0 && r2 == 1)); /* here */
	return 0;
}
