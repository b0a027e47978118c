/* expect: holds
 * what: the writer replaces the object, waits until the reader has left, and frees the old one
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static _Atomic(int *) object;
static atomic_int readers;

static int *make(int value)
{
	int *o = malloc(sizeof *o);
	*o = value;
	return o;
}

static void *reader(void *argument)
{
	atomic_fetch_add(&readers, 1);
	int value = *atomic_load(&object);
	assert(value == 1 || value == 2);
	atomic_fetch_sub(&readers, 1);
	return argument;
}

int main(void)
{
	pthread_t a, b;
	object = make(1);
	pthread_create(&a, 0, reader, 0);
	pthread_create(&b, 0, reader, 0);
	int *old = atomic_exchange(&object, make(2));
	while (atomic_load(&readers))
		;
	free(old);
	pthread_join(a, 0);
	pthread_join(b, 0);
	free(object);
	return 0;
}
