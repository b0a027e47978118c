/* expect: violated
 * fault: assertion
 * line: 44
 * what: two threads remove neighbours from a list and lock only the node before
 */
#include <assert.h>
#include <pthread.h>

struct node { int key; struct node *next; pthread_mutex_t lock; };

static struct node nodes[4];

static void remove_key(int key)
{
	struct node *before = &nodes[0];
	while (before->next->key < key)
		before = before->next;
	pthread_mutex_lock(&before->lock);
	struct node *n = before->next;
	if (n->key == key)
		before->next = n->next;
	pthread_mutex_unlock(&before->lock);
}

static void *thread(void *argument)
{
	remove_key(*(int *)argument);
	return 0;
}

int main(void)
{
	pthread_t a, b;
	int one = 1, two = 2;
	for (int i = 0; i < 4; i++) {
		nodes[i].key = i;
		nodes[i].next = i < 3 ? &nodes[i + 1] : 0;
		pthread_mutex_init(&nodes[i].lock, 0);
	}
	pthread_create(&a, 0, thread, &one);
	pthread_create(&b, 0, thread, &two);
	pthread_join(a, 0);
	pthread_join(b, 0);
	assert(nodes[0].next == &nodes[3]); /* here */
	return 0;
}
