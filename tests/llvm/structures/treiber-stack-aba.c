/* expect: violated
 * fault: assertion
 * line: 60
 * what: A-B-A: the top is the same node again, but no longer with the same next
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

struct node { struct node *next; int taken; };

static struct node a_node, b_node;
static _Atomic(struct node *) top;

static void push(struct node *n)
{
	n->taken = 0;
	struct node *old = atomic_load(&top);
	do
		n->next = old;
	while (!atomic_compare_exchange_strong(&top, &old, n));
}

static struct node *pop(void)
{
	struct node *old = atomic_load(&top);
	while (old && !atomic_compare_exchange_strong(&top, &old, old->next))
		;
	return old;
}

static void *pops(void *argument)
{
	struct node *n = pop();
	if (n)
		n->taken = 1;
	return argument;
}

static void *pops_two_and_pushes_one(void *argument)
{
	struct node *first = pop(), *second = pop();
	if (second)
		second->taken = 1;
	if (first)
		push(first);
	return argument;
}

int main(void)
{
	pthread_t a, b;
	push(&b_node);
	push(&a_node);
	pthread_create(&a, 0, pops, 0);
	pthread_create(&b, 0, pops_two_and_pushes_one, 0);
	pthread_join(a, 0);
	pthread_join(b, 0);
	for (struct node *n = top; n; n = n->next)
		assert(!n->taken); /* here */
	return 0;
}
