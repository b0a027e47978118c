/* expect: holds
 * what: Lamport's fast mutual exclusion
 */
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

#define N 2

static volatile int asks[N];
static volatile int x, y;                 /* 0: nobody, otherwise the thread's number + 1 */
static volatile int inside;

static void lock(int me)
{
	for (;;) {
		asks[me] = 1;
		x = me + 1;
		if (y != 0) {
			asks[me] = 0;
			while (y != 0)
				;
			continue;
		}
		y = me + 1;
		if (x == me + 1)
			return;
		asks[me] = 0;
		for (int i = 0; i < N; i++)
			while (asks[i])
				;
		if (y == me + 1)
			return;
		while (y != 0)
			;
	}
}

static void unlock(int me)
{
	y = 0;
	asks[me] = 0;
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
