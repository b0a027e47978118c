/* expect: holds
 * what: hazard pointers: a node that another thread has announced is freed later
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>

struct node { struct node *next; };

static _Atomic(struct node *) top;
static _Atomic(struct node *) hazard[2];
static struct node *later[2];

static void *pop(void *argument)
{
	int me = (int)(intptr_t)argument;
	struct node *old;
	for (;;) {
		old = atomic_load(&top);
		atomic_store(&hazard[me], old);
		if (atomic_load(&top) != old)
			continue;
		struct node *expected = old;
		if (atomic_compare_exchange_strong(&top, &expected, old->next))
			break;
	}
	atomic_store(&hazard[me], 0);
	if (atomic_load(&hazard[1 - me]) == old)
		later[me] = old;
	else
		free(old);
	return 0;
}

int main(void)
{
	pthread_t a, b;
	for (int i = 0; i < 2; i++) {
		struct node *n = malloc(sizeof *n);
		n->next = top;
		top = n;
	}
	pthread_create(&a, 0, pop, (void *)0);
	pthread_create(&b, 0, pop, (void *)1);
	pthread_join(a, 0);
	pthread_join(b, 0);
	free(later[0]);
	free(later[1]);
	return 0;
}
