/* expect: violated
 * fault: use-after-free
 * line: 18
 * what: whoever pops a node frees it at once, while another one may still read it
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct node { struct node *next; };

static _Atomic(struct node *) top;

static void *pop(void *argument)
{
	struct node *old = atomic_load(&top);
	for (;;) {
		struct node *next = old->next; /* here */
		if (atomic_compare_exchange_strong(&top, &old, next))
			break;
	}
	free(old);
	return argument;
}

int main(void)
{
	pthread_t a, b;
	for (int i = 0; i < 2; i++) {
		struct node *n = malloc(sizeof *n);
		n->next = top;
		top = n;
	}
	pthread_create(&a, 0, pop, 0);
	pthread_create(&b, 0, pop, 0);
	pthread_join(a, 0);
	pthread_join(b, 0);
	return 0;
}
