/* expect: holds
 * what: a lock-free stack whose nodes are never used again
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

struct node { int value; struct node *next; };

static struct node nodes[2] = {{.value = 1}, {.value = 2}};
static _Atomic(struct node *) top;

static void push(struct node *n)
{
	struct node *old = atomic_load(&top);
	do
		n->next = old;
	while (!atomic_compare_exchange_weak(&top, &old, n));
}

static struct node *pop(void)
{
	struct node *old = atomic_load(&top);
	while (old && !atomic_compare_exchange_weak(&top, &old, old->next))
		;
	return old;
}

static void *thread(void *argument)
{
	push(argument);
	struct node *n = pop();
	assert(n);
	n->value += 10;
	return 0;
}

int main(void)
{
	pthread_t a, b;
	pthread_create(&a, 0, thread, &nodes[0]);
	pthread_create(&b, 0, thread, &nodes[1]);
	pthread_join(a, 0);
	pthread_join(b, 0);
	assert(!atomic_load(&top));
	assert(nodes[0].value == 11 && nodes[1].value == 12);
	return 0;
}
