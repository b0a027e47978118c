/* Lamport's fast mutual exclusion: T threads, N times each, with plain variables. */
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

#ifndef T
#define T 3
#endif
#ifndef N
#define N 2
#endif

static volatile int asks[T];
static volatile int x, y;             /* 0: nobody, otherwise the thread's number + 1 */
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
		for (int i = 0; i < T; i++)
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

static void *thread(void *number)
{
	int me = (int)(intptr_t)number;

	for (int i = 0; i < N; i++) {
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
	pthread_t threads[T];

	for (int t = 0; t < T; t++)
		pthread_create(&threads[t], 0, thread, (void *)(intptr_t)t);
	for (int t = 0; t < T; t++)
		pthread_join(threads[t], 0);
	return 0;
}
