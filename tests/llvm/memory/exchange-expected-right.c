/* expect: holds
 * what: pointers in local variables that atomic instructions read and write as numbers, also when they fail
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct node { int value; struct node *next; };

static _Atomic(struct node *) top;

static void push(int value)
{
	struct node *node = malloc(sizeof *node);
	struct node *seen = atomic_load(&top);

	node->value = value;
	do
		node->next = seen;
	while (!atomic_compare_exchange_strong(&top, &seen, node));
}

static void *other(void *unused)
{
	(void)unused;
	push(1);
	return 0;
}

int main(void)
{
	pthread_t thread;
	struct node *wrong = (struct node *)&top, *all, *next;
	int sum = 0;

	assert(!atomic_compare_exchange_strong(&top, &wrong, wrong) && !wrong);
	pthread_create(&thread, 0, other, 0);
	push(2);
	pthread_join(thread, 0);
	all = atomic_exchange(&top, 0);
	assert(!atomic_load(&top));
	for (; all; all = next) {
		next = all->next;
		sum += all->value;
		free(all);
	}
	assert(sum == 3);
	return 0;
}
