/* expect: holds
 * what: two writers, and two readers that read in opposite orders; a lock around every access: what sequential consistency forbids does not happen
 */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int x, y;
static int r1, r2, r3, r4;

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
	set(&y, 1);
	return argument;
}

static void *third(void *argument)
{
	r1 = get(&x);
	r2 = get(&y);
	return argument;
}

static void *fourth(void *argument)
{
	r3 = get(&y);
	r4 = get(&x);
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
	assert(!(r1 == 1 && r2 == 0 && r3 == 1 && r4 == 0));
	return 0;
}
