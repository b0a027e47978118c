/* expect: holds
 * what: the queue lock of Mellor-Crummey and Scott
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#define N 2

struct node {
	_Atomic(struct node *) next;
	atomic_int waits;
};

static struct node nodes[N];
static _Atomic(struct node *) tail;
static volatile int inside;

static void lock(int me)
{
	struct node *mine = &nodes[me];
	atomic_store(&mine->next, 0);
	atomic_store(&mine->waits, 1);
	struct node *before = atomic_exchange(&tail, mine);
	if (!before)
		return;
	atomic_store(&before->next, mine);
	while (atomic_load(&mine->waits))
		;
}

static void unlock(int me)
{
	struct node *mine = &nodes[me];
	if (!atomic_load(&mine->next)) {
		struct node *expected = mine;
		if (atomic_compare_exchange_strong(&tail, &expected, 0))
			return;
		while (!atomic_load(&mine->next))
			;
	}
	atomic_store(&atomic_load(&mine->next)->waits, 0);
}

static void *thread(void *argument)
{
	int me = (int)(intptr_t)argument;
	for (int i = 0; i < 2; i++) {
		lock(me);
		inside++;
		assert(inside == 1);
		inside--;
		unlock(me);
	}
	return 0;
}

int main(void)
{
	pthread_t threads[N];
	for (int i = 0; i < N; i++)
		pthread_create(&threads[i], 0, thread, (void *)(intptr_t)i);
	for (int i = 0; i < N; i++)
		pthread_join(threads[i], 0);
	return 0;
}
