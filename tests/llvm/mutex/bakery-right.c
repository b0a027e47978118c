/* expect: holds
 * what: Lamport's bakery
 */
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

#define N 2

static volatile int choosing[N];
static volatile int number[N];
static volatile int inside;

static void lock(int me)
{
	int highest = 0;
	choosing[me] = 1;
	for (int i = 0; i < N; i++) {
		int theirs = number[i];
		if (theirs > highest)
			highest = theirs;
	}
	number[me] = highest + 1;
	choosing[me] = 0;
	for (int i = 0; i < N; i++) {
		if (i == me)
			continue;
		while (choosing[i])
			;
		for (;;) {
			int theirs = number[i];
			if (theirs == 0 || theirs > number[me] || (theirs == number[me] && i > me))
				break;
		}
	}
}

static void unlock(int me)
{
	number[me] = 0;
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
