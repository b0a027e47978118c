/* expect: holds
 * what: sets its own flag first and takes it back if the other one is set: excludes, but may go on for ever
 */
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

#define N 2

static volatile int wants[N];
static volatile int inside;

static void lock(int me)
{
	for (;;) {
		wants[me] = 1;
		if (!wants[1 - me])
			return;
		wants[me] = 0;
	}
}

static void unlock(int me)
{
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
