/* expect: holds
 * what: Peterson's algorithm with C11 atomics
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#define N 2

static atomic_int wants[N];
static atomic_int turn;
static volatile int inside;

static void lock(int me)
{
	atomic_store(&wants[me], 1);
	atomic_store(&turn, 1 - me);
	while (atomic_load(&wants[1 - me]) && atomic_load(&turn) == 1 - me)
		;
}

static void unlock(int me)
{
	atomic_store(&wants[me], 0);
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
