/* expect: violated
 * fault: use-after-free
 * what: an object with a mutex inside is freed by the first user, not by the last
 */
#include <pthread.h>
#include <stdlib.h>

struct object { pthread_mutex_t lock; int users; };

static void *leave(void *argument)
{
	struct object *o = argument;
	pthread_mutex_lock(&o->lock);
	int left = --o->users;
	pthread_mutex_unlock(&o->lock);
	if (left == 1)
		free(o);
	return 0;
}

int main(void)
{
	pthread_t a, b;
	struct object *o = malloc(sizeof *o);
	pthread_mutex_init(&o->lock, 0);
	o->users = 2;
	pthread_create(&a, 0, leave, o);
	pthread_create(&b, 0, leave, o);
	pthread_join(a, 0);
	pthread_join(b, 0);
	return 0;
}
