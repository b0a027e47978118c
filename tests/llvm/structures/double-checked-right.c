/* expect: holds
 * what: double-checked locking: the pointer is set when the object is ready
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static _Atomic(int *) object;

static int *get(void)
{
	int *o = atomic_load(&object);
	if (!o) {
		pthread_mutex_lock(&m);
		o = atomic_load(&object);
		if (!o) {
			o = malloc(sizeof *o);
			*o = 7;
			atomic_store(&object, o);
		}
		pthread_mutex_unlock(&m);
	}
	return o;
}

static void *thread(void *argument)
{
	assert(*get() == 7);
	return argument;
}

int main(void)
{
	pthread_t a, b;
	pthread_create(&a, 0, thread, 0);
	pthread_create(&b, 0, thread, 0);
	pthread_join(a, 0);
	pthread_join(b, 0);
	free(object);
	return 0;
}
