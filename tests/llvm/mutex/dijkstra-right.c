/* expect: holds
 * what: Dijkstra's algorithm of 1965
 */
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

#define N 2

static volatile int wants[N], inner[N];
static volatile int turn;
static volatile int inside;

static void lock(int me)
{
	wants[me] = 1;
	for (;;) {
		inner[me] = 0;
		while (turn != me)
			if (!wants[turn])
				turn = me;
		inner[me] = 1;
		int alone = 1;
		for (int i = 0; i < N; i++)
			if (i != me && inner[i])
				alone = 0;
		if (alone)
			return;
	}
}

static void unlock(int me)
{
	inner[me] = 0;
	wants[me] = 0;
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
