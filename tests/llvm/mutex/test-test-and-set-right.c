/* expect: holds
 * what: a spin lock that looks before it tries
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#define N 3

static atomic_int taken;
static volatile int inside;

static void lock(int me)
{
	(void)me;
	do {
		while (atomic_load(&taken))
			;
	} while (atomic_exchange(&taken, 1));
}

static void unlock(int me)
{
	(void)me;
	atomic_store(&taken, 0);
}

static void *thread(void *argument)
{
	int me = (int)(intptr_t)argument;
	lock(me);
	inside++;
	assert(inside == 1);
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
