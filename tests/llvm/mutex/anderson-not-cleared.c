/* expect: violated
 * fault: assertion
 * line: 38
 * what: Anderson's lock, but a place is not closed again after use
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#define N 2

static atomic_int may_go[N] = {1};
static atomic_uint tail;
static unsigned slot_of[N];
static volatile int inside;

static void lock(int me)
{
	unsigned slot = atomic_fetch_add(&tail, 1) % N;
	slot_of[me] = slot;
	while (!atomic_load(&may_go[slot]))
		;
}

static void unlock(int me)
{
	unsigned slot = slot_of[me];
	atomic_store(&may_go[(slot + 1) % N], 1);
}

static void *thread(void *argument)
{
	int me = (int)(intptr_t)argument;
	for (int i = 0; i < 2; i++) {
		lock(me);
		inside++;
		assert(inside == 1); /* here */
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
