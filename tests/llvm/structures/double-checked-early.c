/* expect: violated
 * fault: assertion
 * line: 29
 * what: double-checked locking: the pointer is set before the object is ready
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static _Atomic(int *) object;

static int *get(void)
{
	if (!atomic_load(&object)) {
		pthread_mutex_lock(&m);
		if (!atomic_load(&object)) {
			atomic_store(&object, calloc(1, sizeof(int)));
			*object = 7;
		}
		pthread_mutex_unlock(&m);
	}
	return atomic_load(&object);
}

static void *thread(void *argument)
{
	assert(*get() == 7); /* here */
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
