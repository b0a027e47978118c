/* expect: violated
 * fault: use-after-free
 * line: 26
 * what: A lock-free stack whose nodes are freed while another thread reads them.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

/* To pop, a thread reads the top node and the node below it, and then makes the lower one the
 * top, provided that the top is still what it was. That last step is atomic and right. The
 * mistake is free(): another thread may have read the same top and not yet its `next`. */
struct node {
	struct node *next;
};

static _Atomic(struct node *) top;

static void *pop(void *unused)
{
	struct node *node = atomic_load(&top);
	struct node *next;

	(void)unused;
	do
		next = node->next; /* here */
	while (!atomic_compare_exchange_strong(&top, &node, next));
	free(node);
	return 0;
}

int main(void)
{
	pthread_t first, second;

	for (int i = 0; i < 2; i++) {
		struct node *node = malloc(sizeof *node);
		node->next = top;
		top = node;
	}
	pthread_create(&first, 0, pop, 0);
	pthread_create(&second, 0, pop, 0);
	pthread_join(first, 0);
	pthread_join(second, 0);
	return 0;
}
