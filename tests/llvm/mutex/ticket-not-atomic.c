/* expect: violated
 * fault: assertion
 * line: 36
 * what: a ticket lock, where two threads can draw the same ticket
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#define N 2

static atomic_uint next, served;
static volatile int inside;

static void lock(int me)
{
	(void)me;
	unsigned mine = atomic_load(&next);
	atomic_store(&next, mine + 1);
	while (atomic_load(&served) != mine)
		;
}

static void unlock(int me)
{
	(void)me;
	atomic_fetch_add(&served, 1);
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
