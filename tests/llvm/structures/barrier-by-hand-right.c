/* expect: holds
 * what: a barrier with a sense that changes every round
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

static atomic_int missing = 2, sense;
static volatile int round_of[2];

static void wait_for_all(int mine)
{
	if (atomic_fetch_sub(&missing, 1) == 1) {
		atomic_store(&missing, 2);
		atomic_store(&sense, mine);
	} else {
		while (atomic_load(&sense) != mine)
			;
	}
}

static void *thread(void *argument)
{
	int me = (int)(intptr_t)argument;
	for (int i = 1; i <= 2; i++) {
		round_of[me] = i;
		wait_for_all(i % 2);
		assert(round_of[1 - me] >= i);
	}
	return 0;
}

int main(void)
{
	pthread_t a, b;
	pthread_create(&a, 0, thread, (void *)0);
	pthread_create(&b, 0, thread, (void *)1);
	pthread_join(a, 0);
	pthread_join(b, 0);
	return 0;
}
