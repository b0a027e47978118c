/* expect: holds
 * what: a thread does not read its own later write; a lock around every access: what sequential consistency forbids does not happen
 */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int x;
static int r1;

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
	r1 = get(&x);
	set(&x, 1);
	return argument;
}

static void *second(void *argument)
{
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
	assert(!(r1 == 1 && x == 1));
	assert(!(r1 == 1 && x == 2));
	assert(!(r1 == 2 && x == 2));
	return 0;
}
