/* expect: holds
 * what: the queue of Michael and Scott: one thread puts two values in, the other takes them out in order
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

struct node { int value; _Atomic(struct node *) next; };

static struct node dummy, nodes[2] = {{.value = 1}, {.value = 2}};
static _Atomic(struct node *) head = &dummy, tail = &dummy;

static void put(struct node *n)
{
	for (;;) {
		struct node *last = atomic_load(&tail), *next = atomic_load(&last->next);
		if (next) {
			atomic_compare_exchange_strong(&tail, &last, next);
		} else if (atomic_compare_exchange_strong(&last->next, &next, n)) {
			atomic_compare_exchange_strong(&tail, &last, n);
			return;
		}
	}
}

static int take(void)
{
	for (;;) {
		struct node *first = atomic_load(&head), *last = atomic_load(&tail);
		struct node *next = atomic_load(&first->next);
		if (!next)
			return 0;
		if (first == last) {
			atomic_compare_exchange_strong(&tail, &last, next);
			continue;
		}
		int value = next->value;
		if (atomic_compare_exchange_strong(&head, &first, next))
			return value;
	}
}

static void *producer(void *argument)
{
	put(&nodes[0]);
	put(&nodes[1]);
	return argument;
}

int main(void)
{
	pthread_t t;
	pthread_create(&t, 0, producer, 0);
	int first = take(), second = take();
	pthread_join(t, 0);
	assert(first == 0 || first == 1);
	assert(second == (first ? 2 : 1) || second == 0);
	return 0;
}
