/* expect: violated
 * fault: assertion
 * line: 35
 * what: a spin lock that tests and then sets
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#define N 2

static atomic_int taken;
static volatile int inside;

static void lock(int me)
{
	(void)me;
	while (atomic_load(&taken))
		;
	atomic_store(&taken, 1);
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
