/* expect: violated
 * fault: assertion
 * line: 38
 * what: the one-bit algorithm without waiting for the higher numbers
 */
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

#define N 3

static volatile int wants[N];
static volatile int inside;

static void lock(int me)
{
again:
	wants[me] = 1;
	for (int i = 0; i < me; i++)
		if (wants[i]) {
			wants[me] = 0;
			while (wants[i])
				;
			goto again;
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
