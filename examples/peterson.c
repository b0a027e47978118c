/* expect: holds
 * what: Peterson's mutual exclusion: two threads share a room without any lock.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

/* Whoever wants to go in says so and lets the other one go first. It waits only as long as
 * the other one wants to go in too and it is the other one's turn. Exchange the first two
 * lines of `enter`, and Auspex shows how both get in at once. */
static atomic_bool wants[2];
static atomic_int turn;
static atomic_int inside;

static void enter(int me)
{
	int other = 1 - me;

	wants[me] = 1;
	turn = other;
	while (wants[other] && turn == other)
		;
}

static void leave(int me)
{
	wants[me] = 0;
}

static void *visit(void *number)
{
	int me = *(int *)number;

	enter(me);
	inside++;
	assert(inside == 1);
	inside--;
	leave(me);
	return 0;
}

int main(void)
{
	pthread_t threads[2];
	int numbers[2] = {0, 1};

	for (int i = 0; i < 2; i++)
		pthread_create(&threads[i], 0, visit, &numbers[i]);
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], 0);
	return 0;
}
