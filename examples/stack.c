/* expect: holds
 * what: A lock-free stack whose nodes are freed when nobody can read them any more.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

/* The same as stack_broken.c, but a popped node is only handed to main. Main frees it after
 * both threads have ended, when no thread can still hold a pointer to it. */
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
		next = node->next;
	while (!atomic_compare_exchange_strong(&top, &node, next));
	return node;
}

int main(void)
{
	pthread_t first, second;
	void *a, *b;

	for (int i = 0; i < 2; i++) {
		struct node *node = malloc(sizeof *node);
		node->next = top;
		top = node;
	}
	pthread_create(&first, 0, pop, 0);
	pthread_create(&second, 0, pop, 0);
	pthread_join(first, &a);
	pthread_join(second, &b);
	free(a);
	free(b);
	return 0;
}
