/* expect: holds
 * what: write to read causality over a third thread; a lock around every access: what sequential consistency forbids does not happen
 */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int x, y;
static int r1, r2, r3;

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
	return argument;
}

static void *second(void *argument)
{
	r1 = get(&x);
	set(&y, 1);
	return argument;
}

static void *third(void *argument)
{
	r2 = get(&y);
	r3 = get(&x);
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
	assert(!(r1 == 1 && r2 == 1 && r3 == 0));
	return 0;
}
