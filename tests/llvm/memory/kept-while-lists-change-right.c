/* expect: holds
 * what: memory of a thread's own hangs on a variable that is not read again, in a caller, while other threads go through lists of other lengths
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct node {
	struct node *next;
};

static struct node *list;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_int turns;

static void push(struct node *node)
{
	pthread_mutex_lock(&lock);
	node->next = list;
	list = node;
	pthread_mutex_unlock(&lock);
}

static struct node *pop(void)
{
	pthread_mutex_lock(&lock);
	struct node *node = list;
	if (node)
		list = node->next;
	pthread_mutex_unlock(&lock);
	return node;
}

static void inner(struct node *mine)
{
	struct node *also = mine->next;

	atomic_fetch_add(&turns, 1);
	free(also);
	atomic_fetch_add(&turns, 1);
	push(mine);
	atomic_fetch_add(&turns, 1);
}

static void *user(void *unused)
{
	struct node *mine = malloc(sizeof *mine);

	mine->next = malloc(sizeof *mine);
	inner(mine);
	free(pop());
	return unused;
}

int main(void)
{
	pthread_t threads[2];

	for (int i = 0; i < 2; i++)
		pthread_create(&threads[i], 0, user, 0);
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], 0);
	assert(turns == 6);
	return 0;
}
