/* expect: violated
 * fault: assertion
 * line: 36
 * what: Hyman's algorithm, published in 1966 and wrong
 */
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

#define N 2

static volatile int wants[N];
static volatile int turn;
static volatile int inside;

static void lock(int me)
{
	wants[me] = 1;
	while (turn != me) {
		while (wants[1 - me])
			;
		turn = me;
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
