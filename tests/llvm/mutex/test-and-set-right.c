/* expect: holds
 * what: a spin lock with atomic_flag
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#define N 3

static atomic_flag taken = ATOMIC_FLAG_INIT;
static volatile int inside;

static void lock(int me)
{
	(void)me;
	while (atomic_flag_test_and_set(&taken))
		;
}

static void unlock(int me)
{
	(void)me;
	atomic_flag_clear(&taken);
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
