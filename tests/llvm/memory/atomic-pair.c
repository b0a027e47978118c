/* expect: holds
 * what: a pointer and a counter in 16 bytes are exchanged together, and the pointer stays one
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct top {
	struct node *node;
	unsigned long tag;
};

struct node {
	struct node *next;
	int value;
};

static _Atomic struct top stack;
static struct node nodes[2] = { { 0, 1 }, { 0, 2 } };

static void push(struct node *node)
{
	struct top old = atomic_load(&stack), new;

	do {
		node->next = old.node;
		new = (struct top){ node, old.tag + 1 };
	} while (!atomic_compare_exchange_strong(&stack, &old, new));
}

static void *thread(void *unused)
{
	(void)unused;
	push(&nodes[1]);
	return 0;
}

int main(void)
{
	pthread_t other;
	struct top none = { 0, 0 }, all;

	pthread_create(&other, 0, thread, 0);
	push(&nodes[0]);
	pthread_join(other, 0);
	all = atomic_exchange(&stack, none);
	assert(all.tag == 2);
	assert(all.node->value + all.node->next->value == 3 && !all.node->next->next);
	assert(!atomic_load(&stack).node);
	return 0;
}
