/* expect: violated
 * fault: assertion
 * line: 35
 * what: a spin lock by compare and exchange that expects the wrong value after a failure
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
	int expected = 0;
	while (!atomic_compare_exchange_strong(&taken, &expected, 1))
		;
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
