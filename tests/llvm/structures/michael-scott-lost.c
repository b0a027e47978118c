/* expect: violated
 * fault: assertion
 * line: 32
 * what: two producers append without compare and exchange: one value is lost
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
	struct node *last = atomic_load(&tail);
	atomic_store(&last->next, n);
	atomic_store(&tail, n);
	return 0;
}

int main(void)
{
	pthread_t a, b;
	pthread_create(&a, 0, put, &nodes[0]);
	pthread_create(&b, 0, put, &nodes[1]);
	pthread_join(a, 0);
	pthread_join(b, 0);
	struct node *first = dummy.next;
	assert(first && first->next); /* here */
	return 0;
}
