/* expect: violated
 * fault: assertion
 * line: 37
 * what: Peterson's algorithm for three threads with one level too few
 */
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

#define N 3

static volatile int level[N];        /* how far a thread has come, 0 is outside */
static volatile int last[N];         /* who came last to a level */
static volatile int inside;

static void lock(int me)
{
	for (int l = 1; l < N - 1; l++) {
		level[me] = l;
		last[l] = me;
		for (int other = 0; other < N; other++)
			while (other != me && level[other] >= l && last[l] == me)
				;
	}
}

static void unlock(int me)
{
	level[me] = 0;
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
