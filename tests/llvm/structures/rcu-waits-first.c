/* expect: violated
 * fault: use-after-free
 * line: 24
 * what: the writer waits for the readers before it replaces the object, not afterwards
 */
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
	int *mine = atomic_load(&object);
	if (*mine > 2) /* here */
		argument = 0;
	atomic_fetch_sub(&readers, 1);
	return argument;
}

int main(void)
{
	pthread_t t;
	object = make(1);
	pthread_create(&t, 0, reader, 0);
	while (atomic_load(&readers))
		;
	int *old = atomic_exchange(&object, make(2));
	free(old);
	pthread_join(t, 0);
	free(object);
	return 0;
}
