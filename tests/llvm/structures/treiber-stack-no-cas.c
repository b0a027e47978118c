/* expect: violated
 * fault: assertion
 * line: 33
 * what: a stack that is pushed to without compare and exchange loses a node
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

struct node { struct node *next; };

static struct node nodes[2];
static _Atomic(struct node *) top;

static void *push(void *argument)
{
	struct node *n = argument;
	n->next = atomic_load(&top);
	atomic_store(&top, n);
	return 0;
}

int main(void)
{
	pthread_t a, b;
	pthread_create(&a, 0, push, &nodes[0]);
	pthread_create(&b, 0, push, &nodes[1]);
	pthread_join(a, 0);
	pthread_join(b, 0);
	int count = 0;
	for (struct node *n = top; n; n = n->next)
		count++;
	assert(count == 2); /* here */
	return 0;
}
