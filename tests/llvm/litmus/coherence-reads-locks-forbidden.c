/* expect: holds
 * what: two reads of the same variable do not go back in time; a lock around every access: what sequential consistency forbids does not happen
 */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int x;
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
	set(&x, 2);
	return argument;
}

static void *second(void *argument)
{
	r1 = get(&x);
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
	assert(!(r1 == 1 && r2 == 0));
	assert(!(r1 == 2 && r2 == 0));
	assert(!(r1 == 2 && r2 == 1));
	return 0;
}
