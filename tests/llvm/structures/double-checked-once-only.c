/* expect: violated
 * fault: leak
 * what: the second look is missing: two objects are made, one is lost
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static _Atomic(int *) object;

static void *thread(void *argument)
{
	if (!atomic_load(&object)) {
		pthread_mutex_lock(&m);
		atomic_store(&object, malloc(sizeof(int)));
		pthread_mutex_unlock(&m);
	}
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
