/* expect: violated
 * fault: assertion
 * line: 49
 * what: data is written before a flag, the flag is read before the data; a lock around every access: it is possible that r1 is 0 and r2 is 0
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
	set(&y, 1);
	return argument;
}

static void *second(void *argument)
{
	r1 = get(&y);
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
	assert(!(r1 == 0 && r2 == 0)); /* here */
	return 0;
}
