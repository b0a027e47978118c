/* expect: holds
 * what: the last one to let go frees the object
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct object { atomic_int references; int value; };

static void release(struct object *o)
{
	if (atomic_fetch_sub(&o->references, 1) == 1)
		free(o);
}

static void *thread(void *argument)
{
	struct object *o = argument;
	assert(o->value == 7);
	release(o);
	return 0;
}

int main(void)
{
	pthread_t a, b;
	struct object *o = malloc(sizeof *o);
	atomic_init(&o->references, 3);
	o->value = 7;
	pthread_create(&a, 0, thread, o);
	pthread_create(&b, 0, thread, o);
	release(o);
	pthread_join(a, 0);
	pthread_join(b, 0);
	return 0;
}
