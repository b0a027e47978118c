/* expect: holds
 * what: two producers put a value each into the queue of Michael and Scott
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

struct node { _Atomic(struct node *) next; };

static struct node dummy, nodes[2];
static _Atomic(struct node *) tail = &dummy;

static void *put(void *argument)
{
	struct node *n = argument;
	for (;;) {
		struct node *last = atomic_load(&tail), *next = atomic_load(&last->next);
		if (next) {
			atomic_compare_exchange_strong(&tail, &last, next);
		} else if (atomic_compare_exchange_strong(&last->next, &next, n)) {
			atomic_compare_exchange_strong(&tail, &last, n);
			return 0;
		}
	}
}

int main(void)
{
	pthread_t a, b;
	pthread_create(&a, 0, put, &nodes[0]);
	pthread_create(&b, 0, put, &nodes[1]);
	pthread_join(a, 0);
	pthread_join(b, 0);
	struct node *first = dummy.next;
	assert(first && first->next && !first->next->next);
	return 0;
}
