/* expect: violated
 * fault: assertion
 * line: 45
 * what: Szymanski's algorithm without the order at the door
 */
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

#define N 2

static volatile int flag[N];
/* 0: outside, 1: wants in, 2: waits for others, 3: in the waiting room, 4: the door is closed */
static volatile int inside;

static void lock(int me)
{
	int other = 1 - me;
	flag[me] = 1;
	while (flag[other] > 2)
		;
	flag[me] = 3;
	if (flag[other] == 1) {
		flag[me] = 2;
		while (flag[other] != 4)
			;
	}
	flag[me] = 4;
}

static void unlock(int me)
{
	int other = 1 - me;
	if (me == 0)
		while (flag[other] == 2 || flag[other] == 3)
			;
	flag[me] = 0;
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
