/* expect: violated
 * fault: assertion
 * line: 45
 * what: the queue lock of Craig, Landin and Hagersten with the end of the queue read and written separately
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#define N 2

struct node {
	atomic_int taken;
};

static struct node nodes[N + 1];
static _Atomic(struct node *) tail = &nodes[N];
static struct node *mine[N];
static struct node *before[N];
static volatile int inside;

static void lock(int me)
{
	if (!mine[me])
		mine[me] = &nodes[me];
	atomic_store(&mine[me]->taken, 1);
	before[me] = atomic_load(&tail);
	atomic_store(&tail, mine[me]);
	while (atomic_load(&before[me]->taken))
		;
}

static void unlock(int me)
{
	atomic_store(&mine[me]->taken, 0);
	mine[me] = before[me];
}

static void *thread(void *argument)
{
	int me = (int)(intptr_t)argument;
	lock(me);
	inside++;
	assert(inside == 1); /* here */
	inside--;
	unlock(me);
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
