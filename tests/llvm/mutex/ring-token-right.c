/* expect: holds
 * what: a token goes round
 */
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

#define N 3

static volatile int token;
static volatile int inside;

static void lock(int me)
{
	while (token != me)
		;
}

static void unlock(int me)
{
	token = (me + 1) % N;
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
