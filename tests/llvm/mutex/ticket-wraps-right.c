/* expect: holds
 * what: a ticket lock whose numbers wrap around
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#define N 2

static _Atomic unsigned char next = 255, served = 255;
static volatile int inside;

static void lock(int me)
{
	(void)me;
	unsigned char mine = atomic_fetch_add(&next, 1);
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
