/* expect: holds
 * what: a recursive mutex is locked twice by its owner and must be unlocked twice
 */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m;
static int value;

static void change(void)
{
	pthread_mutex_lock(&m);
	value++;
	pthread_mutex_unlock(&m);
}

static void *thread(void *argument)
{
	pthread_mutex_lock(&m);
	int before = value;
	change();
	change();
	assert(value == before + 2);
	pthread_mutex_unlock(&m);
	return argument;
}

int main(void)
{
	pthread_t a, b;
	pthread_mutexattr_t kind;
	pthread_mutexattr_init(&kind);
	pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_RECURSIVE);
	pthread_mutex_init(&m, &kind);
	pthread_mutexattr_destroy(&kind);
	pthread_create(&a, 0, thread, 0);
	pthread_create(&b, 0, thread, 0);
	pthread_join(a, 0);
	pthread_join(b, 0);
	assert(value == 4);
	pthread_mutex_destroy(&m);
	return 0;
}
