/* expect: holds
 * what: strict alternation
 */
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

#define N 2

static volatile int turn;
static volatile int inside;

static void lock(int me)
{
	while (turn != me)
		;
}

static void unlock(int me)
{
	turn = 1 - me;
}

static void *thread(void *argument)
{
	int me = (int)(intptr_t)argument;
	for (int i = 0; i < 2; i++) {
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
	pthread_t threads[N];
	for (int i = 0; i < N; i++)
		pthread_create(&threads[i], 0, thread, (void *)(intptr_t)i);
	for (int i = 0; i < N; i++)
		pthread_join(threads[i], 0);
	return 0;
}
